// Texts as strings of JSON (RFC 8259 section 7), as Python's json writes them without escapes for other alphabets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ttcrawl {

inline bool is_escaped_in_json(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == '"' || byte == '\\';
}

inline void append_json_escape(std::string &json, char byte) {
  constexpr std::string_view LETTERS = "\bb\ff\nn\rr\tt\"\"\\\\";  // a character, and what follows the backslash
  constexpr std::string_view DIGITS = "0123456789abcdef";
  for (std::size_t index = 0; index < LETTERS.size(); index += 2) {
    if (LETTERS[index] == byte) {
      json.append({'\\', LETTERS[index + 1]});
      return;
    }
  }
  json.append({'\\', 'u', '0', '0', DIGITS[static_cast<unsigned char>(byte) >> 4], DIGITS[byte & 0xF]});
}

inline void append_json_string(std::string &json, std::string_view text) {
  json.push_back('"');
  std::size_t start = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (!is_escaped_in_json(text[index])) continue;
    json.append(text, start, index - start);
    append_json_escape(json, text[index]);
    start = index + 1;
  }
  json.append(text, start).push_back('"');
}

}  // namespace ttcrawl
