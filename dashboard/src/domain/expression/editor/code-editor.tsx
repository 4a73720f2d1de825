import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension, RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Fault, Language } from '../types.ts'
import classes from './code-editor.module.css'
import { coloursOf } from './colours.ts'
import { completionsAt } from './complete.ts'

interface Props {
  readonly label: string
  /** Ids of its description and of its faults. */
  readonly describedBy: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly language: Language
  readonly faults: readonly Fault[]
}

/** Text area for the rules language. Tab leaves it, like any field; Ctrl-Space (Alt-i on a Mac) offers completions. */
export default function CodeEditor({ label, describedBy, value, onChange, language, faults }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  /** Texts passed to `onChange` that have not come back as `value` yet. */
  const told = useRef<string[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; the effects below apply changes
  useEffect(() => {
    const made = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: value,
        extensions: [...fixed, languages.of(speaking(language)), attributes.of([])],
      }),
      dispatchTransactions: (transactions, editor) => {
        editor.update(transactions)
        if (!transactions.some(one => one.docChanged && !one.annotation(fromOutside))) return
        const text = editor.state.doc.toString()
        told.current.push(text)
        changed.current(text)
      },
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    // Typed text comes back as the value, possibly after more typing.
    const known = told.current.lastIndexOf(value)
    told.current = known < 0 ? [] : told.current.slice(known + 1)
    const { state, dispatch } = handle(view.current!)
    if (known >= 0 || state.doc.toString() === value) return
    const changes = { from: 0, to: state.doc.length, insert: value }
    dispatch({ changes, annotations: fromOutside.of(true) })
  }, [value])

  useEffect(() => {
    view.current!.dispatch({ effects: languages.reconfigure(speaking(language)) })
  }, [language])

  const isFaulty = faults.length > 0
  useEffect(() => {
    const content = EditorView.contentAttributes.of(attributesOf(label, describedBy, isFaulty))
    view.current!.dispatch({ effects: attributes.reconfigure(content) })
  }, [label, describedBy, isFaulty])

  const shown = JSON.stringify(faults)
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by content, not by identity
  useEffect(() => {
    const { state, dispatch } = handle(view.current!)
    const diagnostics = faults.map(fault => diagnosticOf(fault, state.doc.length))
    dispatch(setDiagnostics(state, diagnostics))
  }, [shown, value])

  return <div ref={box} className={classes['box']} data-faulty={isFaulty || undefined} />
}

/** Attributes of the editable element. */
function attributesOf(label: string, describedBy: string, isFaulty: boolean) {
  return {
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': String(isFaulty),
    spellcheck: 'false',
    autocapitalize: 'off',
  }
}

function handle(view: EditorView) {
  return { state: view.state, dispatch: view.dispatch.bind(view) }
}

function diagnosticOf({ from, to, message }: Fault, length: number): Diagnostic {
  const end = Math.min(Math.max(to, from), length)
  // A fault at the very end underlines the last character.
  return {
    from: end > from ? from : Math.max(0, Math.min(from, length) - 1),
    to: end,
    severity: 'error',
    message,
  }
}

/** Marks text that was set by the page: `onChange` is not called for it. */
const fromOutside = Annotation.define<boolean>()

const languages = new Compartment()
const attributes = new Compartment()

const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''

/** Setup that does not depend on the language. Colours are the page's, light and dark. */
const fixed: readonly Extension[] = [
  EditorView.cspNonce.of(nonce),
  history(),
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
  EditorView.lineWrapping,
  EditorView.domEventHandlers({
    // The browser's default keeps a replaced element's style attribute, which the
    // Content-Security-Policy forbids.
    beforeinput(event, view) {
      const { inputType, data } = event
      if (inputType !== 'insertText' || data === null || view.composing) return false
      // The native selection: the editor's own selection follows with a delay.
      const chosen = document.getSelection()
      if (chosen === null || chosen.isCollapsed) return false
      const replaced = chosen.getRangeAt(0)
      event.preventDefault()
      const from = view.posAtDOM(replaced.startContainer, replaced.startOffset)
      const to = view.posAtDOM(replaced.endContainer, replaced.endOffset)
      const insert = view.state.toText(data)
      const selection = { anchor: from + insert.length }
      view.dispatch({
        changes: { from, to, insert },
        selection,
        userEvent: 'input.type',
        scrollIntoView: true,
      })
      return true
    },
  }),
  EditorView.theme({
    '&': { color: 'var(--mantine-color-text)', fontSize: '0.8125rem' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
    '.cm-content': {
      padding: '0.5rem 0.25rem',
      minHeight: '4.5rem',
      caretColor: 'var(--mantine-color-text)',
    },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--mantine-color-error)',
      textUnderlineOffset: '3px',
    },
    '.cm-tooltip': {
      border: '1px solid var(--sluice-line)',
      borderRadius: '6px',
      backgroundColor: 'var(--mantine-color-body)',
      color: 'var(--mantine-color-text)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      maxWidth: 'min(44rem, 92vw)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      background: 'var(--mantine-color-brand-7)',
      color: '#ffffff',
    },
    '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.85' },
    '.cm-completionIcon': { display: 'none' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-completionInfo': { maxWidth: '20rem', padding: '0.5rem 0.75rem' },
    '.cm-diagnostic': { padding: '0.375rem 0.625rem', borderLeft: 'none' },
  }),
]

function speaking(language: Language): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/[A-Za-z0-9_.$]+$/)
    if (!context.explicit && before === null && !context.matchBefore(/\s$/)) return null
    const found = completionsAt(context.state.doc.toString(), context.pos, language)
    if (found === undefined || (!context.explicit && found.from === context.pos)) return null
    return {
      from: found.from,
      validFor: /^[$A-Za-z0-9_.]*$/,
      options: found.options.map(({ label, detail, info, insert, kind, isCommon }) => ({
        label,
        detail,
        type: kind,
        boost: isCommon ? 10 : 0,
        ...(info === '' ? {} : { info }),
        ...(insert === undefined ? {} : { apply: insert }),
      })),
    }
  }
  return [autocompletion({ override: [source], icons: false }), colours(language)]
}

/** Recolours the whole text: it has 4,096 characters at most. */
function colours(language: Language): Extension {
  const draw = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>()
    for (const { from, to, colour } of coloursOf(view.state.doc.toString(), language)) {
      builder.add(from, to, Decoration.mark({ class: classes[colour] ?? '' }))
    }
    return builder.finish()
  }
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = draw(view)
      }

      update({ docChanged, view }: ViewUpdate) {
        if (docChanged) this.decorations = draw(view)
      }
    },
    { decorations: plugin => plugin.decorations },
  )
}
