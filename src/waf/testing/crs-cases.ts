import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { asciiLower } from '../../kit/ascii.ts'
import { bytesOfText } from '../../kit/bytes.ts'
import { transformations } from '../transformations/index.ts'

const folder = join(import.meta.dirname, '../../../../shared/ftw/4.28.0')

/** For `skip`: the reason if the CRS tests are absent, else false. */
export const crsCasesMissing = existsSync(folder) ? false : `no ${folder}`

export interface CrsCase {
  /** Rule and number of the test, `942100-1`. */
  readonly name: string
  readonly rule: number
  /** Whether its rule must match. */
  readonly positive: boolean
  /**
   * The values that rules 94x100 and 94x101 test: names and values of arguments (decoded), path, cookie, referer, user
   * agent.
   */
  readonly values: readonly string[]
}

interface Stage {
  readonly input: { readonly uri?: string; readonly data?: string; readonly headers?: Record<string, string> }
  readonly output: { readonly log?: { readonly expect_ids?: number[] } }
}

/** The cases of the two rule files about SQL (942) or scripts (941). */
export function crsCases(family: '941' | '942'): CrsCase[] {
  const name = readdirSync(folder).find(entry => entry.startsWith(`REQUEST-${family}`))!
  return readdirSync(join(folder, name)).flatMap(file => {
    const rule = Number(file.slice(0, 6))
    const document = parse(readFileSync(join(folder, name, file), 'utf8')) as {
      tests: { test_id: number; stages: Stage[] }[]
    }
    return document.tests.flatMap(({ test_id, stages }) =>
      stages.map(({ input, output }) => ({
        name: `${rule}-${test_id}`,
        rule,
        positive: output.log?.expect_ids?.includes(rule) ?? false,
        values: valuesOf(input),
      })),
    )
  })
}

/** A value after each of the first transformations, as `multiMatch` tests it. */
export function stagesOf(value: string, names: readonly string[]): string[] {
  const stages = [value]
  for (const name of names) stages.push(transformations.get(name)!.apply(stages.at(-1)!))
  return stages
}

function valuesOf({ uri = '', data = '', headers = {} }: Stage['input']): string[] {
  const [path = '', query = ''] = uri.split(/\?(.*)/s)
  const attributes = [...String(data).matchAll(/probe="([^"]*)"/g)].map(([, value]) => value!)
  const wanted = Object.entries(headers).filter(([name]) =>
    ['cookie', 'referer', 'user-agent'].includes(asciiLower(name)),
  )
  const plain = [path, ...attributes, ...wanted.map(([, value]) => String(value))].map(bytesOfText)
  return [...plain, ...parameters(query), ...parameters(String(data))]
}

function parameters(text: string): string[] {
  return text
    .split('&')
    .flatMap(pair => pair.split(/=(.*)/s).slice(0, 2))
    .map(part => transformations.get('urlDecode')!.apply(bytesOfText(part)))
}
