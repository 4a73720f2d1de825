/** Colours a text, or returns it unchanged; `styleText` of node:util is one. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'yellow', text: string) => string
