import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operators, variables } from '../seclang/vocabulary.ts'
import { compile } from './index.ts'

/** The list of the documentation and the compiler agree, in both directions. */
const page = readFileSync(join(import.meta.dirname, '../../docs/internals/engine.md'), 'utf8')
const section = /## Unsupported rules\n(.*?)\n## /s.exec(page)![1]!

function listed(kind: string, prefix = ''): string[] {
  const line = new RegExp(`^- ${kind}: (.*)$`, 'm').exec(section)![1]!
  return [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(prefix, ''))
}

/** Does a program load with this text? */
function loads(text: string): boolean {
  return compile([{ name: 'test.conf', text }], { readData: () => '10.0.0.1\n' }).ok
}

const forms = {
  Variables: (name: string) => `SecRule ${name} "@unconditionalMatch" "id:1,phase:5,pass,nolog"`,
  Operators: (name: string) =>
    `SecRule ARGS "@${name} ${name === 'ipMatch' ? '10.0.0.0/8' : '1'}" "id:1,phase:2,pass,nolog"`,
  Actions: (name: string) => `SecAction "id:1,phase:1,pass,nolog,${name}:x=1"`,
  Directives: (name: string) => `${name} On`,
  Controls: (name: string) => `SecAction "id:1,phase:1,pass,nolog,ctl:${name}=On"`,
}

for (const [kind, form] of Object.entries(forms))
  test(`the engine refuses what the documentation lists: ${kind}`, () => {
    const names = listed(kind, kind === 'Controls' ? 'ctl:' : '@')
    assert.ok(names.length > 4)
    for (const name of names) assert.equal(loads(form(name)), false, name)
  })

for (const [kind, { names }] of Object.entries({ Variables: variables, Operators: operators }))
  test(`the engine accepts what the documentation does not list: ${kind}`, () => {
    const known = new Set(listed(kind, '@'))
    const form = forms[kind as keyof typeof forms]
    assert.deepEqual(
      names.filter(name => !known.has(name) && !loads(form(name))),
      [],
    )
  })
