/**
 * Chooses an item for a key: the same one each time, and by weight among keys. When an item is added or removed, only the
 * keys of that item move. One pass over the items.
 * @returns undefined when no item is eligible
 * @source Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous", with weights
 */
export function chosenFor<T extends { readonly weight: number }>(
  key: string,
  items: readonly T[],
  idOf: (item: T) => string,
  isEligible: (item: T) => boolean,
): T | undefined {
  const seed = fnv1a(key, 0x811c9dc5)
  let chosen: T | undefined
  let highest = Number.NEGATIVE_INFINITY
  for (const item of items) {
    if (!isEligible(item)) continue
    const drawn = (mixed(fnv1a(idOf(item), seed)) + 0.5) / 2 ** 32
    const score = item.weight / -Math.log(drawn)
    if (score <= highest) continue
    chosen = item
    highest = score
  }
  return chosen
}

/** @source Fowler, Noll and Vo, FNV-1a with 32 bits */
function fnv1a(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Spreads the last characters over all bits. @source Appleby, MurmurHash3, `fmix32` */
function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
