import type { Mutation } from './mutation.ts'
import { tableMutations } from './tables.ts'

export const mutations: readonly Mutation[] = [...tableMutations]
