import { Autocomplete, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import type { FieldInfo, ListInfo } from '../types.ts'
import { type Row, valuesOf } from './builder.ts'
import { kindOf, listKindOf, usualValues } from './builder-fields.ts'
import { countries } from './countries.ts'

interface Props {
  readonly row: Row
  readonly field: FieldInfo
  readonly label: string
  readonly lists: readonly ListInfo[] | undefined
  readonly error: string | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** The input that suits the field and the operator. */
export function ValueInput({ row, field, label, lists, error, onChange }: Props) {
  const [value = ''] = row.values
  const common = { 'aria-label': label, error }
  const setOne = (next: string | null) => onChange(next === null ? [] : [next])
  if (row.operator.endsWith('in list'))
    return <ListSelect {...{ field, label, lists, error, value, setOne }} />
  if (valuesOf(row.operator) === 'many') return <ManyValues {...{ row, field, label, error, onChange }} />
  if (isCountryField(field) && (row.operator === 'eq' || row.operator === 'ne'))
    return (
      <Select
        {...common}
        data={withUnknown(row.values)}
        value={value === '' ? null : value}
        onChange={setOne}
        searchable
        placeholder="Germany"
      />
    )
  const usual = usualValues(field.name)
  const text = {
    ...common,
    value,
    placeholder: placeholderOf(field, false),
    spellCheck: false,
    autoComplete: 'off',
  }
  if (usual.length > 0) return <Autocomplete {...text} data={[...usual]} onChange={setOne} />
  return (
    <TextInput
      {...text}
      {...(kindOf(field) === 'integer' ? { inputMode: 'numeric' as const } : {})}
      onChange={event => setOne(event.currentTarget.value)}
    />
  )
}

type ManyProps = Pick<Props, 'row' | 'field' | 'label' | 'error' | 'onChange'>

function ManyValues({ row, field, label, error, onChange }: ManyProps) {
  const common = { 'aria-label': label, error, value: [...row.values], onChange }
  if (isCountryField(field))
    return (
      <MultiSelect
        {...common}
        data={withUnknown(row.values)}
        searchable
        hidePickedOptions
        placeholder={row.values.length === 0 ? 'Germany, France' : ''}
      />
    )
  return (
    <TagsInput
      {...common}
      data={[...usualValues(field.name)]}
      splitChars={kindOf(field) === 'text' ? [] : [',', ' ']}
      acceptValueOnBlur
      placeholder={row.values.length === 0 ? `${placeholderOf(field, true)}, then Enter` : ''}
    />
  )
}

function isCountryField({ name }: FieldInfo): boolean {
  return name.endsWith('.country')
}

interface ListProps {
  readonly field: FieldInfo
  readonly label: string
  readonly lists: readonly ListInfo[] | undefined
  readonly error: string | undefined
  readonly value: string
  readonly setOne: (name: string | null) => void
}

/** Selects a list of the account. Without read access to lists, the user types its name. */
function ListSelect({ field, label, lists, error, value, setOne }: ListProps) {
  if (lists === undefined)
    return (
      <TextInput
        aria-label={label}
        error={error}
        value={value}
        placeholder="list name"
        onChange={event => setOne(event.currentTarget.value.replace(/^\$/, ''))}
      />
    )
  const kind = listKindOf(field)
  const data = lists.filter(list => list.kind === kind).map(({ name }) => name)
  return (
    <Select
      aria-label={label}
      error={error}
      data={value === '' || data.includes(value) ? data : [...data, value]}
      value={value === '' ? null : value}
      onChange={setOne}
      searchable
      placeholder={data.length === 0 ? `The account has no ${kind} lists` : 'Select a list'}
    />
  )
}

/** Includes values from the editor that are not countries. */
function withUnknown(values: readonly string[]): { value: string; label: string }[] {
  const known = countries()
  const others = values.filter(value => value !== '' && !known.some(country => country.value === value))
  return [...known, ...others.map(value => ({ value, label: value }))]
}

function placeholderOf(field: FieldInfo, many: boolean): string {
  const kind = kindOf(field)
  if (kind === 'ip') return many ? '192.0.2.0/24' : '192.0.2.7'
  if (kind === 'integer') return many ? '64512' : field.name.endsWith('timestamp.sec') ? '1735689600' : '100'
  return placeholders[field.name] ?? 'value'
}

const placeholders: Readonly<Record<string, string>> = {
  'http.host': 'www.example.com',
  'http.request.uri.path': '/admin',
  'http.request.uri': '/search?q=1',
  'http.request.uri.query': 'debug=1',
  'http.request.full_uri': 'https://www.example.com/admin',
  'http.request.uri.path.extension': 'php',
  'http.request.method': 'POST',
  'http.user_agent': 'curl/8',
  'ip.src.continent': 'EU',
}
