import { gateMutations } from './gate.ts'
import { matcherMutations } from './matcher.ts'
import type { Mutation } from './mutation.ts'
import { ruleMutations } from './rules.ts'
import { tableMutations } from './tables.ts'

export const mutations: readonly Mutation[] = [
  ...tableMutations,
  ...matcherMutations,
  ...gateMutations,
  ...ruleMutations,
]
