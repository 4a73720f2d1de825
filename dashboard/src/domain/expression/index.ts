export { ExpressionField } from './expression-field.tsx'
export { messagesAt } from './messages-at.ts'
export type { Language } from './types.ts'
export { useLanguage } from './use-language.ts'
