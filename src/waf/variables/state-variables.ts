import { severities } from '../../seclang/index.ts'
import { type Collection, EntryList, emptyCollection } from './collection.ts'
import { collection, single, type VariableTable } from './declare.ts'
import { Entry } from './entry.ts'
import { persistentCollections } from './persistent.ts'
import type { TransactionState } from './state.ts'

/** Variables that rules set: TX, matches, persistent collections. Never cached, because any rule may change them. */
export const stateVariables: VariableTable = {
  TX: collection('always', state => state.tx),
  MATCHED_VAR: single('always', state => state.matched.lastValue),
  MATCHED_VAR_NAME: single('always', state => state.matched.lastName),
  MATCHED_VARS: {
    ...collection('always', state => new EntryList(state.matched.ofChain())),
    qualified: true,
  },
  MATCHED_VARS_NAMES: {
    ...collection('always', state => new EntryList(matchedNames(state))),
    qualified: true,
  },
  MSC_PCRE_LIMITS_EXCEEDED: single('always', state => state.tx.get('msc_pcre_limits_exceeded') ?? '0'),
  HIGHEST_SEVERITY: single('always', state => String(state.highestSeverity)),
  RULE: collection('always', ruleFacts),
  DURATION: single('always', state => String(Math.max(0, state.nowMs() - state.request.startedMs))),
  TIME_EPOCH: single('always', state => String(Math.floor(state.nowMs() / 1000))),
  ...persistent(),
}

function matchedNames(state: TransactionState): Entry[] {
  return state.matched.ofChain().map(entry => new Entry(entry.key, entry.key))
}

function ruleFacts(state: TransactionState): Collection {
  const { rule } = state
  if (rule === undefined) return emptyCollection
  return new EntryList([
    new Entry('id', String(rule.id)),
    new Entry('msg', rule.message),
    new Entry('severity', rule.severity === undefined ? '' : String(severityNumber(rule.severity))),
    new Entry('rev', rule.revision ?? ''),
    new Entry('logdata', rule.logdata ?? ''),
  ])
}

/** As written in rules: 0 for EMERGENCY, 7 for DEBUG. */
function severityNumber(name: string): number {
  return severities.names.indexOf(name)
}

function persistent(): Record<string, VariableTable[string]> {
  const table: Record<string, VariableTable[string]> = {}
  for (const name of persistentCollections) {
    table[name] = collection('always', state => state.persistent.get(name)?.variables ?? emptyCollection)
  }
  return table
}
