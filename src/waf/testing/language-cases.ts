import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOfText } from '../../kit/bytes.ts'

/** Folder of the SecLang test set beside the repository; tests skip if it is absent. */
export const languageCasesFolder = join(import.meta.dirname, '../../../../shared/secrules')

/** For `skip`: the reason if the test set is absent, else false. */
export const languageCasesMissing = existsSync(languageCasesFolder) ? false : `no ${languageCasesFolder}`

export interface LanguageCase {
  readonly name: string
  readonly param?: string
  readonly input: string
  readonly output?: string
  readonly ret: number
  readonly re_groups?: readonly string[]
}

/** All cases of `operators` or `transformations`; `input` and `output` decoded to byte strings. */
export function languageCases(kind: 'operators' | 'transformations'): LanguageCase[] {
  const folder = join(languageCasesFolder, kind)
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .flatMap(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as LanguageCase[])
    .map(row => ({
      ...row,
      input: decode(row.input),
      ...(row.output === undefined ? {} : { output: decode(row.output) }),
    }))
}

function decode(text: string): string {
  return bytesOfText(text)
    .replaceAll(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16) & 0xff),
    )
}
