import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'

/** One stage of a test from its YAML file; every scalar is text, as in go-ftw. */
export interface Stage {
  readonly input: { readonly [key: string]: unknown }
  readonly output: { readonly [key: string]: unknown }
}

export interface FtwTest {
  /** `942100-1` */
  readonly name: string
  /** First three digits of the rule's folder: `942`. */
  readonly category: string
  readonly stages: readonly Stage[]
}

/** Reads every `.yaml` file below a folder, in the order of their paths. */
export async function loadSuite(folder: string): Promise<readonly FtwTest[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  if (files.length === 0)
    throw new Error(
      `${folder} holds no .yaml files: name the folder with the regression tests of a CRS release`,
    )
  const suites = await Promise.all(files.map(loadFile))
  return suites.flat()
}

async function loadFile(path: string): Promise<FtwTest[]> {
  // "failsafe": `Content-Length: 7` stays text and `version: ""` differs from no version.
  const document = parse(await readFile(path, 'utf8'), { schema: 'failsafe' }) as Document | null
  if (document === null) return []
  const ruleId = document.rule_id ?? /\d+/.exec(basename(path))?.[0] ?? basename(path)
  const category = /\d{3}/.exec(basename(dirname(path)))?.[0] ?? ruleId.slice(0, 3)
  return (document.tests ?? []).map((test, index) => ({
    name: `${ruleId}-${test.test_id ?? index + 1}`,
    category,
    stages: test.stages.map(entry => ('stage' in entry ? entry.stage : entry) as Stage),
  }))
}

interface Document {
  readonly rule_id?: string
  readonly tests?: readonly {
    readonly test_id?: string
    readonly stages: readonly (Stage | { readonly stage: Stage })[]
  }[]
}
