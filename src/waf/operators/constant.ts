import { type OperatorFactory, ready } from './operator.ts'

export const unconditionalMatch: OperatorFactory = () => ready(() => true)

export const noMatch: OperatorFactory = () => ready(() => false)

/** Looks an address up in a database of countries. The engine has none, so it never matches and GEO stays empty. */
export const geoLookup: OperatorFactory = () => ready(() => false)

/** Asks a DNS block list. The engine asks no name servers during a request, so it never matches. */
export const rbl: OperatorFactory = () => ready(() => false)
