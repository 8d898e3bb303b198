// HTML elements, by the numbers of their names, and sets of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "names.hpp"

namespace ttcrawl {

/// An HTML element by its name; OTHER: the standard does not know it.
enum class Tag : std::uint8_t {
  OTHER, A, ABBR, ACRONYM, ADDRESS, APPLET, AREA, ARTICLE, ASIDE, AUDIO, B, BASE, BASEFONT, BDI, BDO, BGSOUND, BIG,
  BLOCKQUOTE, BODY, BR, BUTTON, CANVAS, CAPTION, CENTER, CITE, CODE, COL, COLGROUP, DATA, DATALIST, DD, DEL, DETAILS,
  DFN, DIALOG, DIR, DIV, DL, DT, EM, EMBED, FIELDSET, FIGCAPTION, FIGURE, FONT, FOOTER, FORM, FRAME, FRAMESET, H1, H2,
  H3, H4, H5, H6, HEAD, HEADER, HGROUP, HR, HTML, I, IFRAME, IMAGE, IMG, INPUT, INS, KBD, KEYGEN, LABEL, LEGEND, LI,
  LINK, LISTING, MAIN, MAP, MARK, MARQUEE, MATH, MENU, META, METER, NAV, NOBR, NOEMBED, NOFRAMES, NOSCRIPT, OBJECT, OL,
  OPTGROUP, OPTION, OUTPUT, P, PARAM, PICTURE, PLAINTEXT, PRE, PROGRESS, Q, RB, RP, RT, RTC, RUBY, S, SAMP, SCRIPT,
  SEARCH, SECTION, SELECT, SLOT, SMALL, SOURCE, SPAN, STRIKE, STRONG, STYLE, SUB, SUMMARY, SUP, SVG, TABLE, TBODY, TD,
  TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TIME, TITLE, TR, TRACK, TT, U, UL, VAR, VIDEO, WBR, XMP,
};

struct TagName {
  Tag tag;
  std::string_view name;
};

inline constexpr TagName TAG_NAMES[] = {
    {Tag::OTHER, ""},
    {Tag::A, "a"}, {Tag::ABBR, "abbr"}, {Tag::ACRONYM, "acronym"}, {Tag::ADDRESS, "address"}, {Tag::APPLET, "applet"},
    {Tag::AREA, "area"}, {Tag::ARTICLE, "article"}, {Tag::ASIDE, "aside"}, {Tag::AUDIO, "audio"}, {Tag::B, "b"},
    {Tag::BASE, "base"}, {Tag::BASEFONT, "basefont"}, {Tag::BDI, "bdi"}, {Tag::BDO, "bdo"}, {Tag::BGSOUND, "bgsound"},
    {Tag::BIG, "big"}, {Tag::BLOCKQUOTE, "blockquote"}, {Tag::BODY, "body"}, {Tag::BR, "br"}, {Tag::BUTTON, "button"},
    {Tag::CANVAS, "canvas"}, {Tag::CAPTION, "caption"}, {Tag::CENTER, "center"}, {Tag::CITE, "cite"},
    {Tag::CODE, "code"}, {Tag::COL, "col"}, {Tag::COLGROUP, "colgroup"}, {Tag::DATA, "data"},
    {Tag::DATALIST, "datalist"}, {Tag::DD, "dd"}, {Tag::DEL, "del"}, {Tag::DETAILS, "details"}, {Tag::DFN, "dfn"},
    {Tag::DIALOG, "dialog"}, {Tag::DIR, "dir"}, {Tag::DIV, "div"}, {Tag::DL, "dl"}, {Tag::DT, "dt"}, {Tag::EM, "em"},
    {Tag::EMBED, "embed"}, {Tag::FIELDSET, "fieldset"}, {Tag::FIGCAPTION, "figcaption"}, {Tag::FIGURE, "figure"},
    {Tag::FONT, "font"}, {Tag::FOOTER, "footer"}, {Tag::FORM, "form"}, {Tag::FRAME, "frame"},
    {Tag::FRAMESET, "frameset"}, {Tag::H1, "h1"}, {Tag::H2, "h2"}, {Tag::H3, "h3"}, {Tag::H4, "h4"}, {Tag::H5, "h5"},
    {Tag::H6, "h6"}, {Tag::HEAD, "head"}, {Tag::HEADER, "header"}, {Tag::HGROUP, "hgroup"}, {Tag::HR, "hr"},
    {Tag::HTML, "html"}, {Tag::I, "i"}, {Tag::IFRAME, "iframe"}, {Tag::IMAGE, "image"}, {Tag::IMG, "img"},
    {Tag::INPUT, "input"}, {Tag::INS, "ins"}, {Tag::KBD, "kbd"}, {Tag::KEYGEN, "keygen"}, {Tag::LABEL, "label"},
    {Tag::LEGEND, "legend"}, {Tag::LI, "li"}, {Tag::LINK, "link"}, {Tag::LISTING, "listing"}, {Tag::MAIN, "main"},
    {Tag::MAP, "map"}, {Tag::MARK, "mark"}, {Tag::MARQUEE, "marquee"}, {Tag::MATH, "math"}, {Tag::MENU, "menu"},
    {Tag::META, "meta"}, {Tag::METER, "meter"}, {Tag::NAV, "nav"}, {Tag::NOBR, "nobr"}, {Tag::NOEMBED, "noembed"},
    {Tag::NOFRAMES, "noframes"}, {Tag::NOSCRIPT, "noscript"}, {Tag::OBJECT, "object"}, {Tag::OL, "ol"},
    {Tag::OPTGROUP, "optgroup"}, {Tag::OPTION, "option"}, {Tag::OUTPUT, "output"}, {Tag::P, "p"},
    {Tag::PARAM, "param"}, {Tag::PICTURE, "picture"}, {Tag::PLAINTEXT, "plaintext"}, {Tag::PRE, "pre"},
    {Tag::PROGRESS, "progress"}, {Tag::Q, "q"}, {Tag::RB, "rb"}, {Tag::RP, "rp"}, {Tag::RT, "rt"}, {Tag::RTC, "rtc"},
    {Tag::RUBY, "ruby"}, {Tag::S, "s"}, {Tag::SAMP, "samp"}, {Tag::SCRIPT, "script"}, {Tag::SEARCH, "search"},
    {Tag::SECTION, "section"}, {Tag::SELECT, "select"}, {Tag::SLOT, "slot"}, {Tag::SMALL, "small"},
    {Tag::SOURCE, "source"}, {Tag::SPAN, "span"}, {Tag::STRIKE, "strike"}, {Tag::STRONG, "strong"},
    {Tag::STYLE, "style"}, {Tag::SUB, "sub"}, {Tag::SUMMARY, "summary"}, {Tag::SUP, "sup"}, {Tag::SVG, "svg"},
    {Tag::TABLE, "table"}, {Tag::TBODY, "tbody"}, {Tag::TD, "td"}, {Tag::TEMPLATE, "template"},
    {Tag::TEXTAREA, "textarea"}, {Tag::TFOOT, "tfoot"}, {Tag::TH, "th"}, {Tag::THEAD, "thead"}, {Tag::TIME, "time"},
    {Tag::TITLE, "title"}, {Tag::TR, "tr"}, {Tag::TRACK, "track"}, {Tag::TT, "tt"}, {Tag::U, "u"}, {Tag::UL, "ul"},
    {Tag::VAR, "var"}, {Tag::VIDEO, "video"}, {Tag::WBR, "wbr"}, {Tag::XMP, "xmp"},
};

inline constexpr std::size_t TAGS = std::size(TAG_NAMES);

consteval bool are_in_order() {
  for (std::size_t index = 0; index < TAGS; ++index) {
    if (static_cast<std::size_t>(TAG_NAMES[index].tag) != index) {
      return false;
    }
  }
  return true;
}
static_assert(are_in_order(), "a row of TAG_NAMES is where its tag is among the tags");

/// "" for OTHER.
constexpr std::string_view name_of(Tag tag) {
  return TAG_NAMES[static_cast<std::size_t>(tag)].name;
}

/// Number of a name -> tag, a hash table that is made when this is compiled.
class TagTable {
 public:
  consteval TagTable() {
    for (const TagName &row : TAG_NAMES) {
      if (row.tag == Tag::OTHER) {
        continue;
      }
      if (number_of(row.name) == 0) {
        throw "the name is too long";
      }
      std::size_t slot = first_slot(number_of(row.name));
      while (slots_[slot].number != 0) {
        slot = (slot + 1) % SLOTS;
      }
      slots_[slot] = {number_of(row.name), row.tag};
    }
  }

  constexpr Tag find(std::uint64_t number) const {
    for (std::size_t slot = first_slot(number);; slot = (slot + 1) % SLOTS) {
      if (slots_[slot].number == number || slots_[slot].number == 0) {
        return slots_[slot].tag;
      }
    }
  }

 private:
  static constexpr int BITS = 10;
  static constexpr std::size_t SLOTS = std::size_t{1} << BITS;
  struct Slot {
    std::uint64_t number = 0;  // 0: free
    Tag tag = Tag::OTHER;
  };

  /// Multiplicative hashing (Knuth, TAOCP 3, section 6.4).
  static constexpr std::size_t first_slot(std::uint64_t number) { return number * 0x9E3779B97F4A7C15 >> (64 - BITS); }

  std::array<Slot, SLOTS> slots_{};
};

inline constexpr TagTable TAG_TABLE;

constexpr Tag tag_of(std::string_view name) {
  return TAG_TABLE.find(number_of(name));
}

consteval bool are_different() {
  for (const TagName &row : TAG_NAMES) {
    if (tag_of(row.name) != row.tag) {
      return false;
    }
  }
  return true;
}
static_assert(are_different(), "the names have different numbers");

/// Some of the elements, by their names with spaces between; a name that no element has does not compile.
class TagSet {
 public:
  consteval explicit TagSet(std::string_view names) {
    while (!names.empty()) {
      const std::size_t size = names.find(' ') < names.size() ? names.find(' ') : names.size();
      add(tag_of(names.substr(0, size)));
      names.remove_prefix(size < names.size() ? size + 1 : size);
    }
  }

  constexpr bool has(Tag tag) const {
    const auto index = static_cast<std::size_t>(tag);
    return bits_[index / 64] >> index % 64 & 1;
  }

  constexpr void insert(Tag tag) {
    const auto index = static_cast<std::size_t>(tag);
    bits_[index / 64] |= std::uint64_t{1} << index % 64;
  }

  consteval TagSet operator|(const TagSet &other) const {
    TagSet both = *this;
    for (std::size_t word = 0; word < bits_.size(); ++word) {
      both.bits_[word] |= other.bits_[word];
    }
    return both;
  }

 private:
  consteval void add(Tag tag) {
    if (tag == Tag::OTHER) {
      throw "no element has this name";
    }
    insert(tag);
  }

  std::array<std::uint64_t, (TAGS + 63) / 64> bits_{};
};

}  // namespace ttcrawl
