/** Codes of the bytes that begin or end tokens. */
export const SINGLE = 0x27
export const DOUBLE = 0x22
export const BACKTICK = 0x60
export const HASH = 0x23
export const DASH = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const STAR = 0x2a
export const DOLLAR = 0x24
export const AT = 0x40
export const BACKSLASH = 0x5c
export const BRACKET = 0x5b
