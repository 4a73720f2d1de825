import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlanRestricted } from './enterprise-restriction.ts'

test('expressions that only apply to Enterprise zones', () => {
  const rows: readonly (readonly [expression: string, restricted: boolean])[] = [
    ['cf.zone.plan eq "ENT"', true],
    [' (cf.zone.plan == "ENT") ', true],
    ['(cf.zone.name eq "example.com") and cf.zone.plan eq "ENT"', true],
    ['(cf.zone.name eq "a" or ssl)&&cf.zone.plan == "ENT"', true],
    ['((ssl) and cf.zone.plan eq "ENT")', true],
    ['((ssl) or (not ssl)) and cf.zone.plan eq "ENT"', true],
    ['(http.host eq ")") and cf.zone.plan eq "ENT"', true],
    ['(http.host eq "\\")") and cf.zone.plan eq "ENT"', true],
    ['(http.host eq r#")"("#) and cf.zone.plan eq "ENT"', true],
    ['true', false],
    ['ssl and cf.zone.plan eq "ENT"', false],
    ['(ssl) or cf.zone.plan eq "ENT"', false],
    ['(ssl) or (ssl) and cf.zone.plan eq "ENT"', false],
    ['not (ssl) and cf.zone.plan eq "ENT"', false],
    ['cf.zone.plan eq "ENT" and (ssl)', false],
    ['(ssl) and cf.zone.plan eq "PRO"', false],
    ['(ssl) and cf.zone.plan eq "ENT" or ssl', false],
    ['(ssl) and xcf.zone.plan eq "ENT"', false],
  ]
  for (const [expression, restricted] of rows)
    assert.equal(isPlanRestricted(expression), restricted, expression)
})
