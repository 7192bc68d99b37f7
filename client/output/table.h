#pragma once

#include <string>
#include <vector>

namespace roar::output {

// Text with control characters replaced, so that what a file or server sent cannot steer a terminal.
std::string Printable(const std::string& text);

// Aligned columns for people: a line of titles, then the rows; two blanks between columns, none at line ends.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // As many cells as columns. Made printable here.
  void AddRow(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // Ends with a newline.
  std::string Render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace roar::output
