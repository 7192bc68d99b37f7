#include "datasets/importers/sst_tree.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

// Reads one tree from left to right; no recursion, so that no file is too deep.
class TreeReader {
 public:
  explicit TreeReader(std::string_view text) : text_(text) {}

  // The sentence, or nothing: then fault() says why, and column() where.
  std::optional<SstSentence> Read() {
    while (OpenNode()) {
      if (Peek() == '(') continue;
      if (!ReadWord() || !CloseNodes()) return std::nullopt;
      if (depth_ == 0) return at_ == text_.size() ? std::optional(sentence_) : Fail("text after the tree");
      if (at_ == text_.size()) return Fail(absl::StrCat(depth_, " brackets are not closed"));
    }
    return std::nullopt;
  }

  const std::string& fault() const { return fault_; }
  std::size_t column() const { return at_ + 1; }

 private:
  std::nullopt_t Fail(std::string fault) {
    fault_ = std::move(fault);
    return std::nullopt;
  }
  bool Refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(' ', at_), text_.size()); }

  // "(3 "
  bool OpenNode() {
    SkipBlanks();
    if (Peek() != '(') return Refuse("an opening bracket is missing");
    ++at_;
    if (Peek() < '0' || Peek() > '4') return Refuse("a label of 0 to 4 is missing after the bracket");
    if (depth_++ == 0) sentence_.label = Peek() - '0';
    ++at_;
    if (Peek() != ' ') return Refuse("a blank is missing after the label");
    SkipBlanks();
    return true;
  }

  bool ReadWord() {
    const std::size_t end = std::min(text_.find_first_of(" ()", at_), text_.size());
    if (end == at_) return Refuse("a word is missing");
    absl::StrAppend(&sentence_.text, sentence_.text.empty() ? "" : " ", std::string(text_.substr(at_, end - at_)));
    at_ = end;
    return true;
  }

  // One or more ")", no more than are open, and blanks.
  bool CloseNodes() {
    if (Peek() == '(' || Peek() == ' ') return Refuse("a closing bracket is missing after the word");
    for (; Peek() == ')'; SkipBlanks()) {
      if (depth_ == 0) return Refuse("a closing bracket too many");
      --depth_;
      ++at_;
    }
    return true;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  SstSentence sentence_;
  std::string fault_;
};

}  // namespace

std::optional<SstSentence> ParseSstTree(std::string_view tree, ImportProblem place, ImportReport& report) {
  TreeReader reader(tree);
  std::optional<SstSentence> sentence = reader.Read();
  if (!sentence.has_value()) {
    place.cause = absl::StrCat("column ", reader.column(), ": ", reader.fault());
    report.Add(std::move(place));
  }
  return sentence;
}

}  // namespace roar::datasets
