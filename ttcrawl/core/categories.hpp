// What kinds of elements the HTML standard tells apart when it builds a tree (13.1.2, 13.2.4.2, 13.2.4.3, 13.2.6.3).
#pragma once

#include "tags.hpp"

namespace ttcrawl {

/// Without content and without an end tag (13.1.2), with the obsolete ones that are parsed alike.
inline constexpr TagSet VOID{
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"};

/// Of the category "special" (13.2.4.2).
inline constexpr TagSet SPECIAL{
    "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd"
    " details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header"
    " hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript"
    " object ol p param plaintext pre script search section select source style summary table tbody td template"
    " textarea tfoot th thead title tr track ul wbr xmp"};

/// Elements that are opened again in the next block if they are not closed (13.2.4.3).
inline constexpr TagSet FORMATTING{"a b big code em font i nobr s small strike strong tt u"};

/// Where the search for an open element ends (13.2.4.2).
struct Scope {
  TagSet ends;
  bool at_integration_points;
};
inline constexpr TagSet SCOPE_ENDS{"applet caption html table td th marquee object select template"};
inline constexpr Scope ELEMENT_SCOPE{SCOPE_ENDS, true};
inline constexpr Scope LIST_ITEM_SCOPE{SCOPE_ENDS | TagSet{"ol ul"}, true};
inline constexpr Scope BUTTON_SCOPE{SCOPE_ENDS | TagSet{"button"}, true};
inline constexpr Scope TABLE_SCOPE{TagSet{"html table template"}, false};

/// Elements whose end tags are implied (13.2.6.3).
inline constexpr TagSet IMPLIED_END{"dd dt li optgroup option p rb rp rt rtc"};

inline constexpr TagSet HEADINGS{"h1 h2 h3 h4 h5 h6"};
inline constexpr TagSet TABLE_SECTIONS{"tbody tfoot thead"};
inline constexpr TagSet CELLS{"td th"};

/// The parts of a table, as start tags.
inline constexpr TagSet TABLE_PARTS{"caption col colgroup tbody td tfoot th thead tr"};

/// Elements that get children only where they belong to the table; all others are put before it.
inline constexpr TagSet TABLE_STRUCTURE{"table tbody tfoot thead tr"};

}  // namespace ttcrawl
