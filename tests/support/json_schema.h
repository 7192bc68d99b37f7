#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace roar {

// A schema of docs/schemas, read with those that it refers to.
class JsonSchema {
 public:
  // Throws when there is no such file, or when it is no JSON schema.
  explicit JsonSchema(const std::string& name) {
    const nlohmann::json document = Read(name + ".json");
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(
        valijson::adapters::NlohmannJsonAdapter(document), schema_,
        [](const std::string& uri) { return std::make_unique<nlohmann::json>(Read(uri)).release(); },
        [](const nlohmann::json* fetched) { delete fetched; });
  }

  static std::filesystem::path Folder() { return std::filesystem::path(ROAR_SOURCE_DIR) / "docs/schemas"; }

  static nlohmann::json Read(const std::string& file_name) {
    std::ifstream file(Folder() / file_name);
    if (!file) throw std::runtime_error("there is no docs/schemas/" + file_name);
    return nlohmann::json::parse(file);
  }

  // Why the document does not fit, with where; empty when it does.
  std::string WhyNot(const nlohmann::json& document) const {
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    valijson::ValidationResults results;
    if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), &results)) return "";
    std::string text;
    for (valijson::ValidationResults::Error error; results.popError(error);) {
      for (const std::string& place : error.context) text += place;
      text += ": " + error.description + "\n";
    }
    return text.empty() ? "it does not fit" : text;
  }

 private:
  valijson::Schema schema_;
};

}  // namespace roar
