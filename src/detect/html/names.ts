import { standsAt, WordTable } from '../word-table.ts'

/**
 * Names of HTML that carry script, from the HTML, SVG and MathML specifications. An element is listed if it runs code,
 * loads a document or changes how the rest of the page is read. An attribute is listed if a browser follows or runs its
 * value. Names of old browsers (layers, data islands) stay, because they cost nothing.
 */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Prefixes of vendor-specific event names. */
const eventFamilies = ['webkit', 'moz', 'ms']

/** Dangerous when opened, even without attributes. The last six change how browsers read the rest of the page. */
const runningTags = set(`script iframe style svg xss vmlframe isindex
  noscript noembed noframes xmp plaintext comment`)

/** Dangerous through attributes alone. `<link>` without attributes is a placeholder in ordinary text. */
const loadingTags =
  set(`link base meta object embed applet frame frameset bgsound import math xml layer ilayer portal
  fencedframe foreignobject handler listener set animate animatetransform animatemotion`)

/** Attributes with an address that browsers follow, show or run. */
const addressAttributes =
  set(`href src action formaction data background poster codebase lowsrc dynsrc xlink:href
  from to by values srcset classid code archive cite longdesc profile manifest usemap icon folder xml:base ping
  movie content`)

/** Attributes that are an attack with any value: a document in the value, a form with another target. */
const runningAttributes = set('srcdoc formaction datasrc datafld dataformatas')

const events = set(`abort activate afterprint afterscriptexecute afterupdate animationcancel animationend
  animationiteration animationstart auxclick beforeactivate beforecopy beforecut beforedeactivate beforeeditfocus
  beforeinput beforematch beforepaste beforeprint beforescriptexecute beforetoggle beforeunload beforeupdate begin blur
  bounce cancel canplay canplaythrough cellchange change click close command contentvisibilityautostatechange
  contextlost contextmenu contextrestored controlselect copy cuechange cut dataavailable datasetchanged
  datasetcomplete dblclick deactivate devicemotion deviceorientation drag dragdrop dragend dragenter dragexit
  dragleave dragover dragstart drop durationchange emptied end ended error errorupdate filterchange finish focus
  focusin focusout formdata fullscreenchange fullscreenerror gesturechange gestureend gesturestart
  gotpointercapture hashchange help input invalid keydown keypress keyup languagechange layoutcomplete load
  loadeddata loadedmetadata loadend loadstart location losecapture lostpointercapture message messageerror
  mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup mousewheel move moveend movestart offline
  online orientationchange outofsync pagehide pagereveal pageshow pageswap paste pause play playing
  pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerrawupdate pointerup
  popstate progress propertychange ratechange readystatechange rejectionhandled repeat reset resize resizeend
  resizestart resume reverse rowdelete rowenter rowexit rowinserted scroll scrollend scrollsnapchange
  scrollsnapchanging search securitypolicyviolation seek seeked seeking select selectionchange selectstart show
  slotchange stalled start stop storage submit suspend syncrestored timeerror timeupdate toggle touchcancel touchend
  touchmove touchstart trackchange transitioncancel transitionend transitionrun transitionstart unhandledrejection
  unload urlflip volumechange waiting wheel zoom`)

export const runningTagNames: readonly string[] = [...runningTags]
export const runningAttributeNames: readonly string[] = [
  ...runningAttributes,
  ...[...events].map(event => `on${event}`),
  ...eventFamilies.map(family => `on${family}`),
]

/** The effect of opening a tag: it runs or loads something, does so with an attribute, or nothing. */
export type TagKind = 'running' | 'loading' | 'plain'

/** How an attribute with a value is judged: it is an attack with any value, or depends on the value. */
export type AttributeKind = 'running' | 'address' | 'style' | 'target' | 'namespace' | 'handler' | 'plain'

const tags = new WordTable<TagKind>(
  [
    ...[...runningTags].map((name): [string, TagKind] => [name, 'running']),
    ...[...loadingTags].map((name): [string, TagKind] => [name, 'loading']),
  ],
  'plain',
)

const attributes = new WordTable<AttributeKind>(
  [
    ...new Map<string, AttributeKind>([
      ...[...addressAttributes].map((name): [string, AttributeKind] => [name, 'address']),
      ...[...runningAttributes].map((name): [string, AttributeKind] => [name, 'running']),
      ...[...events].map((event): [string, AttributeKind] => [`on${event}`, 'running']),
      ['style', 'style'],
      // `<animate attributeName=href …>` sets the attribute that it names.
      ['attributename', 'target'],
      ['xmlns', 'namespace'],
    ]),
  ],
  'plain',
)

/** The kind of a tag by its name, in any case; a prefix (`x:script`) may stand for any namespace. */
export function tagKind(value: string, start: number, end: number): TagKind {
  if (standsAt(value, start, 'xsl:') && start + 4 <= end) return 'running'
  let local = end
  while (local > start && value.charCodeAt(local - 1) !== 0x3a) local--
  return tags.find(value, local, end)
}

/**
 * The kind of an attribute by its name, in any case. `handler` is a name that begins with "on" but that no known
 * browser has: "one", "online" and "onset" are words as well.
 */
export function attributeKind(value: string, start: number, end: number): AttributeKind {
  const kind = attributes.find(value, start, end)
  if (kind !== 'plain') return kind
  if (standsAt(value, start, 'on')) return handlerKind(value, start + 2, end)
  return standsAt(value, start, 'xmlns') && start + 5 <= end ? 'namespace' : 'plain'
}

function handlerKind(value: string, event: number, end: number): AttributeKind {
  const length = end - event
  if (eventFamilies.some(family => length > family.length + 3 && standsAt(value, event, family)))
    return 'running'
  return length > 2 && isLetters(value, event, end) ? 'handler' : 'plain'
}

function isLetters(value: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const lower = value.charCodeAt(at) | 0x20
    if (lower < 0x61 || lower > 0x7a) return false
  }
  return true
}
