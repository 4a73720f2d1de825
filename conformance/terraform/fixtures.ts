import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { filledIn, type Scope } from './placeholders.ts'

/** Configurations that a user applies one over the other. */
export interface Fixture {
  /** `ruleset` */
  readonly resource: string
  /** Path below the folder of the resource. */
  readonly name: string
  /** It is one of the project's own, whose lifecycle goes on after its steps. */
  readonly isOwn: boolean
  /** It changes objects of the account, which all fixtures share. */
  readonly usesAccount: boolean
  readonly steps: readonly Step[]
}

export interface Step {
  readonly name: string
  /** The provider's own tests expect an error. */
  readonly isWrong: boolean
  /** Words of the error that the configuration is for, from its comments `# says: …`; empty for others. */
  readonly says: readonly string[]
  /** An installation that keeps what it does not enforce accepts it. */
  readonly isKept: boolean
  /** The configuration with its placeholders filled in. */
  text(scope: Scope): string
}

/** Configurations for the provider's fourth version, which the fifth does not read. */
const forOlderProvider =
  /(^|[_/])v4_|_v4\.tf$|migration|zonesmatchfuzzy|zonesconfigmatch|record_datasource_config/

/** A wrong kind of item, transforms that exclude each other, a TTL for a proxied record, a service of another product. */
const wrong = /badlistitemtype|managedtransformsconflictingheaders|ttl_validation|virtualnetworkid/

/**
 * The fixtures of all resources.
 * @param folder has one folder for each resource. A folder of numbered files is one fixture with a step for each; any
 *   other file is a fixture with one step. None if it is absent
 */
export function readFixtures(folder: string, isOwn: boolean): readonly Fixture[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(resource => {
    const files = readdirSync(join(folder, resource), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.tf') && !forOlderProvider.test(file))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    const fixtures = Object.groupBy(files, file => (isStep(file) ? dirname(file) : file))
    return Object.entries(fixtures).map(([name, steps = []]) => ({
      resource,
      name,
      isOwn,
      usesAccount: steps.some(file => /account_id/.test(readFileSync(join(folder, resource, file), 'utf8'))),
      steps: steps.map(file => step(folder, join(resource, file))),
    }))
  })
}

function isStep(file: string): boolean {
  return /^\d+\.tf$/.test(basename(file))
}

function step(folder: string, file: string): Step {
  const read = () => readFileSync(join(folder, file), 'utf8')
  return {
    name: file,
    isWrong: wrong.test(file),
    isKept: read().includes('\n# Not wrong with SLUICE_NOT_ENFORCED=keep.\n'),
    says: [...read().matchAll(/^# says: (.+)$/gm)].map(([, words]) => words!),
    text: scope => filledIn(read(), file, scope),
  }
}
