// Whether a doctype puts a page into quirks mode (HTML standard 13.2.6.4.1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "ascii.hpp"

namespace ttcrawl {

namespace doctype {

/// Public identifiers, without their "-//" and in lower case, that begin with one of these are from before 2000.
inline constexpr std::string_view OLD[] = {
    "advasoft ltd//dtd html 3.0 aswedit + extensions//", "as//dtd html 3.0 aswedit + extensions//",
    "ietf//dtd html 2.0 level 1//", "ietf//dtd html 2.0 level 2//", "ietf//dtd html 2.0 strict level 1//",
    "ietf//dtd html 2.0 strict level 2//", "ietf//dtd html 2.0 strict//", "ietf//dtd html 2.0//",
    "ietf//dtd html 2.1e//", "ietf//dtd html 3.0//", "ietf//dtd html 3.2 final//", "ietf//dtd html 3.2//",
    "ietf//dtd html 3//", "ietf//dtd html level 0//", "ietf//dtd html level 1//", "ietf//dtd html level 2//",
    "ietf//dtd html level 3//", "ietf//dtd html strict level 0//", "ietf//dtd html strict level 1//",
    "ietf//dtd html strict level 2//", "ietf//dtd html strict level 3//", "ietf//dtd html strict//",
    "ietf//dtd html//", "metrius//dtd metrius presentational//", "microsoft//dtd internet explorer 2.0 html strict//",
    "microsoft//dtd internet explorer 2.0 html//", "microsoft//dtd internet explorer 2.0 tables//",
    "microsoft//dtd internet explorer 3.0 html strict//", "microsoft//dtd internet explorer 3.0 html//",
    "microsoft//dtd internet explorer 3.0 tables//", "netscape comm. corp.//dtd html//",
    "netscape comm. corp.//dtd strict html//", "o'reilly and associates//dtd html 2.0//",
    "o'reilly and associates//dtd html extended 1.0//", "o'reilly and associates//dtd html extended relaxed 1.0//",
    "softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//", "spyglass//dtd html 2.0 extended//",
    "sq//dtd html 2.0 hotmetal + extensions//", "sun microsystems corp.//dtd hotjava html//",
    "sun microsystems corp.//dtd hotjava strict html//", "w3c//dtd html 3 1995-03-24//", "w3c//dtd html 3.2 draft//",
    "w3c//dtd html 3.2 final//", "w3c//dtd html 3.2//", "w3c//dtd html 3.2s draft//",
    "w3c//dtd html 4.0 frameset//", "w3c//dtd html 4.0 transitional//", "w3c//dtd html experimental 19960712//",
    "w3c//dtd html experimental 970421//", "w3c//dtd w3 html//", "w3o//dtd w3 html 3.0//",
    "webtechs//dtd mozilla html 2.0//", "webtechs//dtd mozilla html//"};
/// These put it into quirks mode unless there is a system identifier.
inline constexpr std::string_view OLD_WITHOUT_SYSTEM[] = {"w3c//dtd html 4.01 frameset//",
                                                          "w3c//dtd html 4.01 transitional//"};

inline constexpr std::string_view OLD_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Take an identifier in quotes from the start of `text`. False: there is none, or it has no end.
inline bool take_identifier(std::string_view &text, std::string &identifier) {
  text.remove_prefix(leading_space(text));
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) {
    return false;
  }
  const std::size_t end = text.find(text[0], 1);
  if (end == std::string_view::npos) {
    return false;
  }
  identifier = text.substr(1, end - 1);
  std::transform(identifier.begin(), identifier.end(), identifier.begin(), to_lower);
  text.remove_prefix(end + 1);
  return true;
}

inline bool is_old(std::string_view identifier, bool has_system) {
  if (identifier == "-/w3c/dtd html 4.0 transitional/en" || identifier == "html" ||
      identifier == "-//w3o//dtd w3 html strict 3.0//en//") {
    return true;
  }
  const auto is_start = [&](std::string_view old) {
    return identifier.size() > 3 && identifier.substr(3).starts_with(old);
  };
  if (identifier.starts_with("+//silmaril//dtd html pro v0r11 19970101//")) {
    return true;
  }
  return identifier.starts_with("-//") &&
         (std::any_of(std::begin(OLD), std::end(OLD), is_start) ||
          (!has_system && std::any_of(std::begin(OLD_WITHOUT_SYSTEM), std::end(OLD_WITHOUT_SYSTEM), is_start)));
}

}  // namespace doctype

/// `text`: the doctype between "<!" and ">".
inline bool is_quirky(std::string_view text) {
  text.remove_prefix(std::string_view("doctype").size());
  text.remove_prefix(leading_space(text));
  std::size_t size = 0;
  while (size < text.size() && !is_html_space(text[size])) {
    ++size;
  }
  if (!equals_ignoring_case(text.substr(0, size), "html")) {
    return true;
  }
  text.remove_prefix(size);
  text.remove_prefix(leading_space(text));
  if (text.empty()) {
    return false;
  }
  std::string identifier;
  std::string system;
  if (starts_ignoring_case(text, "public")) {
    text.remove_prefix(6);
    if (!doctype::take_identifier(text, identifier)) {
      return true;
    }
    const bool has_system = doctype::take_identifier(text, system);
    if (!has_system && leading_space(text) < text.size()) {
      return true;
    }
    return doctype::is_old(identifier, has_system) || system == doctype::OLD_SYSTEM;
  }
  if (starts_ignoring_case(text, "system")) {
    text.remove_prefix(6);
    return !doctype::take_identifier(text, system) || system == doctype::OLD_SYSTEM;
  }
  return true;
}

}  // namespace ttcrawl
