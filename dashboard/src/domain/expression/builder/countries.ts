interface Country {
  readonly value: string
  readonly label: string
}

let known: Country[] | undefined

/** Two-letter codes with the browser's country names, and the two codes that are not countries. */
export function countries(): readonly Country[] {
  known ??= [...named(), { value: 'T1', label: 'Tor (T1)' }, { value: 'XX', label: 'Unknown (XX)' }]
  return known
}

/** User-assigned codes of ISO 3166, and groups of countries. */
const noCountries = /^(?:A[A]|Q[M-Z]|X[A-JL-Z]|ZZ|EU|EZ|UN|SU|DD|YD|YU|FX|NT|TP|BU|CS|ZR|AN|UK|Q[O-U])$/

function named(): Country[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters
    .flatMap(first => letters.map(second => first + second))
    .filter(code => !noCountries.test(code))
    .flatMap(code => {
      const name = names.of(code)
      return name === undefined ? [] : [{ value: code, label: `${name} (${code})` }]
    })
    .sort((a, b) => a.label.localeCompare(b.label))
}
