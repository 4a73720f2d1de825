import { createReadStream } from 'node:fs'
import { styleText } from 'node:util'
import { type InstalledProgram, installedProgram } from '../../../app/index.ts'
import { CrsError } from '../../../crs/index.ts'
import { httpLimits } from '../../../edge/limits.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { type ExplainInput, explain, type ProgramRule } from '../../../waf/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { explainCommandLimits } from './limits.ts'
import { parseRequestText, type RequestText } from './request-text.ts'
import { explanationText } from './text.ts'

/** `sluice explain [FILE] [--rule ID] [--paranoia-level N] [--all] [--json]`. */
export async function explainCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(
    commandLine,
    ['rule', 'paranoia-level'],
    ['all', 'json'],
  )
  if (words.length > 1) throw new UsageError('explain takes one file; see `npx sluice explain --help`')
  const rule = numberOf(flags, 'rule', 1, 2 ** 31 - 1, 'the id of a rule, such as 942100')
  const paranoiaLevel = numberOf(flags, 'paranoia-level', 1, 4, '1, 2, 3 or 4') ?? 1
  const request = parseRequestText(await readInput(words[0]))
  const { program, crsVersion } = await rulesOf(settings)
  const explanation = explain(
    program,
    inputOf(request),
    program.mask(other => other.paranoiaLevel > paranoiaLevel),
    { helpers: flags.has('all'), ...(rule === undefined ? {} : { rule }) },
  )
  console.log(
    flags.has('json')
      ? JSON.stringify({ crsVersion, paranoiaLevel, notes: request.notes, ...explanation }, inBrief, 2)
      : explanationText(explanation, { request, crsVersion, paranoiaLevel }, styleText),
  )
}

function numberOf(
  flags: ReadonlyMap<string, string>,
  name: string,
  min: number,
  max: number,
  allowed: string,
): number | undefined {
  const text = flags.get(name)
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new UsageError(`'${text}' is not a valid value for --${name}: allowed is ${allowed}`)
}

async function readInput(path: string | undefined): Promise<Uint8Array> {
  if (path === undefined && process.stdin.isTTY) {
    throw new UsageError(
      'there is no request: pipe one in or name a file, as in `sluice explain request.txt`',
    )
  }
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of path === undefined ? process.stdin : createReadStream(path)) {
      parts.push(part)
      bytes += part.length
      if (bytes > explainCommandLimits.requestBytesMax) break
    }
  } catch (error) {
    throw new UsageError(`the request cannot be read: ${(error as Error).message}`, { cause: error })
  }
  if (bytes > explainCommandLimits.requestBytesMax) {
    throw new UsageError(`the request is longer than ${explainCommandLimits.requestBytesMax} bytes`)
  }
  return Buffer.concat(parts)
}

/** A path without a release is a mistake of the caller; rules that do not compile are not. */
async function rulesOf(settings: Settings): Promise<InstalledProgram> {
  try {
    return await installedProgram(settings)
  } catch (error) {
    if (!(error instanceof CrsError) || error.code === 'does-not-compile') throw error
    throw new UsageError(error.message, { cause: error })
  }
}

/** The edge's form of a request, with an example address of RFC 5737. */
function inputOf({ method, target, protocol, headers, body }: RequestText): ExplainInput {
  const { inspectedBodyBytesMax } = httpLimits
  return {
    request: {
      clientIp: '192.0.2.1',
      clientPort: 40_000,
      serverPort: 80,
      method,
      target,
      protocol,
      headers,
      uniqueId: 'explain',
      startedMs: Date.now(),
    },
    body: body.subarray(0, inspectedBodyBytesMax),
    bodyComplete: body.length <= inspectedBodyBytesMax,
  }
}

/** Rules without their text. */
function inBrief(key: string, value: unknown): unknown {
  if ((key !== 'rule' && key !== 'by') || typeof value !== 'object' || value === null) return value
  const { id, phase, role, paranoiaLevel, severity, message, source, line } = value as ProgramRule
  return { id, phase, role, paranoiaLevel, severity, message, source, line }
}
