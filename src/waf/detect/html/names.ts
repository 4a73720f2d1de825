import { standsAt, WordTable } from '../word-table.ts'

/**
 * Which names of HTML carry script. Derived from the HTML, SVG and MathML specifications: an element is listed when
 * it runs code, loads a document or changes how the rest of the page is read; an attribute when a browser follows
 * or runs its value. Old browsers' own (layers, data islands) are kept, they cost nothing.
 */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Dangerous by being opened, without any attribute. The last five change how browsers read what follows. */
const runningTags = set(`script iframe style svg xss vmlframe isindex
  noscript noembed noframes xmp plaintext`)

/** Dangerous through attributes alone; `<link>` without any is a placeholder in somebody's text. */
const loadingTags =
  set(`link base meta object embed applet frame frameset bgsound import math xml layer ilayer portal
  fencedframe foreignobject handler listener set animate animatetransform animatemotion`)

/** Attributes whose value is an address that is followed, shown or run. */
const addressAttributes =
  set(`href src action formaction data background poster codebase lowsrc dynsrc xlink:href
  from to by values srcset classid code archive cite longdesc profile manifest usemap icon folder xml:base ping
  movie content`)

/** Attributes that are an attack whatever they say: a document in the value, a form sent elsewhere. */
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

/** Names that browsers make up on their own keep these beginnings. */
const eventFamilies = ['webkit', 'moz', 'ms']

export const runningTagNames: readonly string[] = [...runningTags]
export const runningAttributeNames: readonly string[] = [...runningAttributes]

/** What opening a tag does: it runs or loads something, does so with an attribute, or nothing. */
export type TagKind = 'running' | 'loading' | 'plain'

/** What an attribute with a value is judged by: it is an attack with any value, or by what the value says. */
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
      // `<animate attributeName=href …>` sets what it names.
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
 * The kind of an attribute by its name, in any case. `handler` is a name that only looks like one: no browser is known to
 * have it; "one", "online" and "onset" are words as well.
 */
export function attributeKind(value: string, start: number, end: number): AttributeKind {
  const kind = attributes.find(value, start, end)
  if (kind !== 'plain') return kind
  if (standsAt(value, start, 'on')) return handlerKind(value, start + 2, end)
  return standsAt(value, start, 'xmlns:') && start + 6 <= end ? 'namespace' : 'plain'
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
