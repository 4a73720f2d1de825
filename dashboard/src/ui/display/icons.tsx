import type { ReactElement } from 'react'

export type Icon = (props: { readonly size?: number }) => ReactElement

/** Decorative: always beside a text label. */
function icon(path: string): Icon {
  return ({ size = 18 }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  )
}

export const OverviewIcon = icon('M4 5h7v6H4zM13 5h7v10h-7zM4 13h7v6H4zM13 17h7v2h-7z')
export const ZoneIcon = icon('M6 4v16M18 4v16M6 8h12M9 13c1-1 2-1 3 0s2 1 3 0M9 17c1-1 2-1 3 0s2 1 3 0')
export const LiveIcon = icon('M3 12h4l3-7 4 14 3-7h4')
export const LogsIcon = icon('M5 4h14v16H5zM8 8h8M8 12h8M8 16h5')
export const ShieldIcon = icon('M12 3l8 3v5c0 5-3.4 8.5-8 10-4.6-1.5-8-5-8-10V6z')
export const RulesIcon = icon('M4 6h2M9 6h11M4 12h2M9 12h11M4 18h2M9 18h11')
export const EventsIcon = icon('M4 20V10M10 20V4M16 20v-7M21 20H3')
export const HistoryIcon = icon('M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2')
export const KeyIcon = icon('M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 12h9v3.500M17 12v3')
export const PersonIcon = icon('M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20a7 7 0 0 1 14 0')
export const PeopleIcon = icon(
  'M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM3 19a6 6 0 0 1 12 0M16 5.500a3.500 3.500 0 0 1 0 6.500M17.500 14a6 6 0 0 1 3.500 5',
)
export const FlaskIcon = icon('M9 3h6M10 3v6l-5 9a2 2 0 0 0 1.800 3h10.400a2 2 0 0 0 1.800-3l-5-9V3M8 15h8')
export const SearchIcon = icon('M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16 16l5 5')
export const PlusIcon = icon('M12 5v14M5 12h14')
export const CopyIcon = icon('M9 9h11v11H9zM5 15H4V4h11v1')
export const CheckIcon = icon('M5 12.500l4.500 4.500L19 7')
export const PauseIcon = icon('M9 5v14M15 5v14')
export const PlayIcon = icon('M7 5l12 7-12 7z')
export const SunIcon = icon(
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M19 5l-1.400 1.400M6.400 17.600L5 19',
)
export const MoonIcon = icon('M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z')
export const ScreenIcon = icon('M3 5h18v11H3zM9 20h6M12 16v4')
export const LeaveIcon = icon('M14 4h5v16h-5M4 12h11M8 8l-4 4 4 4')
export const BookIcon = icon('M5 4h9a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h9')
export const SwitchIcon = icon('M8 10l4-4 4 4M8 14l4 4 4-4')
export const ColumnsIcon = icon('M4 5h16v14H4zM9.500 5v14M14.500 5v14')
export const FilterIcon = icon('M4 5h16l-6 8v6l-4-2v-4z')
export const AlertIcon = icon('M12 4l9 16H3zM12 10v4M12 17v.500')
export const TrashIcon = icon('M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13')
export const FieldsIcon = icon('M4 6h10v4H4zM4 14h7v4H4zM17 8h3M14 16h6')
export const UpIcon = icon('M12 19V5M6 11l6-6 6 6')
export const DownIcon = icon('M12 5v14M6 13l6 6 6-6')
export const GripIcon = icon('M9 5v.01M15 5v.01M9 12v.01M15 12v.01M9 19v.01M15 19v.01')
export const GaugeIcon = icon('M4 18a9 9 0 1 1 16 0M12 14l4-5')
export const DetourIcon = icon('M4 18h4c5 0 3-12 8-12h4M17 3l3 3-3 3')
export const GridIcon = icon('M4 4h16v16H4zM4 9.500h16M4 14.500h16M9.500 4v16M14.500 4v16')
export const RollIcon = icon('M20 12a8 8 0 1 1-2.500-5.800L20 8.500M20 4v4.500h-4.500')
export const TrailIcon = icon('M6 4h12v16H6zM9 8h6M9 12h3M14 15l1.500 1.500L18 13.500')
export const ReleaseIcon = icon('M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9')
export const ShadowIcon = icon('M4 4h11v11H4zM9 15v5h11V9h-5')
