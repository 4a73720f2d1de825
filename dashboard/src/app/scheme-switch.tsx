import {
  Center,
  type MantineColorScheme,
  SegmentedControl,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { type Icon, MoonIcon, ScreenIcon, SunIcon } from '../ui/display/icons.tsx'

const choices: readonly {
  readonly value: MantineColorScheme
  readonly label: string
  readonly icon: Icon
}[] = [
  { value: 'light', label: 'Light', icon: SunIcon },
  { value: 'auto', label: 'System', icon: ScreenIcon },
  { value: 'dark', label: 'Dark', icon: MoonIcon },
]

export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Colour scheme"
      size="xs"
      fullWidth
      mb={4}
      value={colorScheme}
      onChange={value => setColorScheme(value as MantineColorScheme)}
      data={choices.map(({ value, label, icon: Icon }) => ({
        value,
        label: (
          <Center>
            <Icon size={16} />
            <VisuallyHidden>{label}</VisuallyHidden>
          </Center>
        ),
      }))}
    />
  )
}
