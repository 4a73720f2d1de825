/** Whether text in the charset of that name (lower case) holds ASCII unchanged, and no other bytes decode to it. */
export function holdsAscii(name: string): boolean {
  return asciiCharsets.has(name)
}

const numbered = (prefixes: string, from: number, to: number): string[] =>
  prefixes
    .split(' ')
    .flatMap(prefix => Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`))

/**
 * Labels of the Encoding Standard (4.2), and some of IANA's; the empty one stands for none. In these charsets, bytes
 * above 0x7f never decode to ASCII, and never consume an ASCII byte other than a letter (`euc-kr`). Big5, GBK, GB18030
 * and Shift_JIS do: their characters may end in `\`, so their readers see a quote after it that rules take as escaped.
 */
const asciiCharsets: ReadonlySet<string> = new Set([
  '',
  ...`utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8
      ascii us-ascii ansi_x3.4-1968 binary x-user-defined
      cp819 ibm819 csisolatin1 iso-ir-100 iso_8859-1:1987
      csisolatin2 iso-ir-101 iso_8859-2:1987 csisolatin3 iso-ir-109 iso_8859-3:1988
      csisolatin4 iso-ir-110 iso_8859-4:1988 csisolatin5 iso-ir-148 iso_8859-9:1989
      csisolatin6 iso-ir-157 csisolatin9
      csisolatincyrillic cyrillic iso-ir-144 iso_8859-5:1988
      arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-ir-127 iso_8859-6:1987
      csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7:1987 sun_eu_greek
      csiso88598e csiso88598i csisolatinhebrew hebrew iso-ir-138 iso_8859-8:1988 visual logical
      866 cp866 ibm866 csibm866 koi koi8 koi8-r koi8_r cskoi8r koi8-u koi8-ru
      mac macintosh csmacintosh x-mac-roman x-mac-cyrillic x-mac-ukrainian windows-874 dos-874 tis-620
      euc-jp x-euc-jp cseucpkdfmtjapanese euc-cn euc-tw
      euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601
      windows-949`.split(/\s+/),
  ...numbered('iso-8859- iso8859- iso_8859- iso8859', 1, 16),
  ...['iso-8859-6', 'iso-8859-8', 'iso_8859-6', 'iso_8859-8'].flatMap(name => [`${name}-e`, `${name}-i`]),
  ...numbered('latin latin- l', 1, 10),
  ...numbered('windows-125 cp125 x-cp125', 0, 8),
])
