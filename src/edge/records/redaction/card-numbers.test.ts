import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskCardNumbers } from './card-numbers.ts'

/** Test numbers of issuers and payment providers. */
const masked: readonly (readonly [text: string, want: string])[] = [
  ['4111111111111111', '************1111'],
  ['4222222222222', '*********2222'],
  ['4000000000000000006', '***************0006'],
  ['5555555555554444', '************4444'],
  ['2223003122003222', '************3222'],
  ['378282246310005', '***********0005'],
  ['30569309025904', '**********5904'],
  ['6011111111111117', '************1117'],
  ['3530111333300000', '************0000'],
  ['6200000000000005', '************0005'],
  ['4111 1111 1111 1111', '**** **** **** 1111'],
  ['4111-1111-1111-1111', '****-****-****-1111'],
  ['4111+1111+1111+1111', '****+****+****+1111'],
  ['4111%201111%201111%201111', '****%20****%20****%201111'],
  ['3782 822463 10005', '**** ****** *0005'],
  ['/pay?card=4111111111111111&b=1', '/pay?card=************1111&b=1'],
  ['card-4111111111111111', 'card-************1111'],
  ['card_4111111111111111;x', 'card_************1111;x'],
  ['%2F4111111111111111%2f', '%2F************1111%2f'],
  ['%224111111111111111%22', '%22************1111%22'],
  ['%3A4111111111111111', '%3A************1111'],
  ['4111111111111111 5555555555554444', '************1111 ************4444'],
  ['12 4111111111111111 34', '12 ************1111 34'],
  ['2026-08-12 4111 1111 1111 1111 12/29', '2026-08-12 **** **** **** 1111 12/29'],
  ['4111111111111111,4111111111111111', '************1111,************1111'],
  [
    `${'x'.repeat(1000)}=4111111111111111/${'y'.repeat(1000)}`,
    `${'x'.repeat(1000)}=************1111/${'y'.repeat(1000)}`,
  ],
]

const unchanged: readonly string[] = [
  '',
  '411111111111111',
  '4111111111111112',
  '41111111111111111',
  '94111111111111111',
  '04111111111111111',
  '4111  1111 1111 1111',
  '4111.1111.1111.1111',
  '4111%2C1111%2C1111%2C1111',
  '1755000000000',
  '1755000000000000000',
  '9999999999999995',
  '400 500 600',
  // Parts of identifiers.
  'a4111111111111111b',
  '4111111111111111b',
  'x4111-1111-1111-1111',
  'evt_4111111111111111aB',
  '933150-10-41111111-1114-480b-8f2e-5b6c7d8e9f00',
  '933150-41111111-1114-480b-8f2e-5b6c7d8e9f00',
  '41111111-1111-1111-4800-000000000000',
  '/orders/41111111-1111-1111-beef-000000000000/lines',
  '550e8400-e29b-4111-1111-111111111111',
  'sha256:4111111111111111e0',
  '%20%20%20%20%20%20%20%20',
  '+-+-+-+-+-+-+-+-',
  '_ga=GA1.1.1432123456.1722345678',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
]

test('card numbers are masked except for their last four digits', () => {
  for (const [text, want] of masked) assert.equal(maskCardNumbers(text), want, text)
})

test('card numbers are found at every position', () => {
  for (let before = 0; before < 40; before++) {
    for (const digits of ['4222222222222', '4111 1111 1111 1111']) {
      const text = `${'x'.repeat(before)}=${digits} yz`
      assert.notEqual(maskCardNumbers(text), text, String(before))
    }
  }
})

test('other numbers stay, as the same string', () => {
  for (const text of unchanged) assert.equal(maskCardNumbers(text), text, text)
})

test('masking is idempotent', () => {
  for (const [, want] of masked) assert.equal(maskCardNumbers(want), want)
})

test('long runs of digits and separators take linear time', () => {
  for (const unit of ['4 ', '4', '4%20', '%', '4-4+', '4111 ']) {
    const text = unit.repeat(50_000)
    assert.equal(maskCardNumbers(text).length, text.length)
  }
})
