import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { createElement } from 'react'

/** Blue-green: readable on white from shade 7, on dark up to shade 4. */
const brand: MantineColorsTuple = [
  '#e8f7fa',
  '#d3ecf1',
  '#a5d8e2',
  '#75c3d3',
  '#4fb2c6',
  '#37a7be',
  '#1f93ab',
  '#0f7488',
  '#0b6577',
  '#085464',
]

/** Cooler than Mantine's default, so that figures stand out from the background. */
const dark: MantineColorsTuple = [
  '#dfe4ec',
  '#b9c1ce',
  '#98a2b3',
  '#6b7688',
  '#3b4453',
  '#2a313d',
  '#1c222b',
  '#14181f',
  '#0f1319',
  '#0a0d12',
]

const sans =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Open Sans", sans-serif'
const mono = 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: { brand, dark },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '8px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        multiline: true,
        maw: 320,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    },
    // By default they render at the end of the body, outside every landmark of the page.
    Combobox: { defaultProps: { portalProps: { target: '#content' } } },
    // No focusable element in the menu that is not a menu item.
    Menu: { defaultProps: { portalProps: { target: '#content' }, withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // A header in the body would be a second banner landmark.
    ModalHeader: { defaultProps: { renderRoot: plainRoot } },
    DrawerHeader: { defaultProps: { renderRoot: plainRoot } },
    // Colours of alert titles lack contrast; the icon carries the colour.
    Alert: { defaultProps: { variant: 'light' }, styles: { title: { color: 'var(--mantine-color-text)' } } },
  },
})

function plainRoot(props: object) {
  return createElement('div', props)
}

/** Replaces Mantine greys with too little contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#18202b',
    '--mantine-color-dimmed': '#525e6e',
    '--mantine-color-placeholder': '#66717f',
    '--mantine-color-anchor': '#0b6577',
    '--mantine-color-error': '#c02626',
    '--sluice-ground': '#f5f7f9',
    '--sluice-line': '#dde2e9',
    '--sluice-raised': '#ffffff',
    '--sluice-hover': '#eef2f5',
    '--sluice-good': '#1a7a4c',
    '--sluice-warn': '#8f5b00',
    '--sluice-bad': '#c02626',
  },
  dark: {
    '--mantine-color-body': '#14181f',
    '--mantine-color-text': '#e4e8ee',
    '--mantine-color-dimmed': '#a0abba',
    '--mantine-color-placeholder': '#8a95a5',
    '--mantine-color-anchor': '#75c3d3',
    '--mantine-color-error': '#ff8585',
    '--sluice-ground': '#0f1319',
    '--sluice-line': '#2a313d',
    '--sluice-raised': '#171c24',
    '--sluice-hover': '#1f2630',
    '--sluice-good': '#4ccb8c',
    '--sluice-warn': '#e3b04b',
    '--sluice-bad': '#ff8585',
  },
})
