import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { page } from './markdown.ts'

const folder = join(import.meta.dirname, '../../docs/decisions')

/** Every decision with its title and its successor, if any. */
export function decisionsPage(): string {
  const decisions = readdirSync(folder)
    .filter(name => /^\d{3}-.*\.md$/.test(name))
    .sort()
    .map(name => `- [${name.slice(0, 3)}](${name}): ${titleOf(name)}${statusOf(name)}`)
  const about =
    'Choices that readers will question. Each page has the question, the choice and its reasons, the costs, and when to look again. Numbers are reserved before a page is written and never reused, so some are missing.'
  return page('Decisions', 'the titles of the pages', [about, decisions.join('\n')])
}

function titleOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8').split('\n', 1)[0]!.slice('# 000 '.length)
}

/** The line below the title of a decision that is superseded, completely or in part. */
function statusOf(name: string): string {
  const status = /^(Superseded(?: in part)? by \[\d{3}\]\([^)]*\))/m.exec(
    readFileSync(join(folder, name), 'utf8'),
  )
  return status === null ? '' : ` (${status[1]!.replace('S', 's')})`
}
