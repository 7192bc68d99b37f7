#include "client/output/table.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace roar::output {
namespace {

// Characters, not bytes: UTF-8 continuation bytes take no column.
std::size_t DisplayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

void AppendCell(std::string& line, const std::string& cell, std::size_t width, Table::Align align) {
  const std::string padding(width - DisplayWidth(cell), ' ');
  line += align == Table::Align::kLeft ? cell + padding : padding + cell;
}

}  // namespace

std::string Printable(const std::string& text) {
  std::string printable = text;
  std::ranges::replace_if(
      printable, [](unsigned char c) { return absl::ascii_iscntrl(c); }, '?');
  return printable;
}

void Table::AddRow(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  std::ranges::transform(cells, cells.begin(), Printable);
  rows_.push_back(std::move(cells));
}

std::string Table::Render() const {
  std::vector<std::vector<std::string>> lines = {{}};
  for (const Column& column : columns_) lines[0].push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& cells : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(cells[i]));
  }
  std::string text;
  for (const auto& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) line += "  ";
      AppendCell(line, cells[i], widths[i], columns_[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace roar::output
