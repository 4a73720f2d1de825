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

/** Whether opening this tag (lower case) runs or loads something; a prefix (`x:script`) may stand for any namespace. */
export function isRunningTag(name: string): boolean {
  const local = localName(name)
  return runningTags.has(local) || name.startsWith('xsl:')
}

/** Whether this tag (lower case) with an attribute does. */
export function isLoadingTag(name: string): boolean {
  return loadingTags.has(localName(name))
}

/** Whether an attribute (lower case) holds an address. */
export function isAddressAttribute(name: string): boolean {
  return addressAttributes.has(name)
}

/** Whether an attribute (lower case) is an attack with any value. */
export function isRunningAttribute(name: string): boolean {
  return runningAttributes.has(name)
}

/** `onclick` and all other handlers known to some browser. "one", "online" and "onset" are words as well. */
export function isEventHandler(name: string): boolean {
  if (!name.startsWith('on')) return false
  const event = name.slice(2)
  return (
    events.has(event) ||
    eventFamilies.some(family => event.startsWith(family) && event.length > family.length + 3)
  )
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}
