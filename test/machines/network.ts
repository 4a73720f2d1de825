import { execFileSync } from 'node:child_process'

/** Machines of a test are network namespaces on one bridge, as Linux has them: iproute2, and the rights of root. */
const subnet = '10.213.77'

/** The address of the process that runs the test. */
export const observerAddress = `${subnet}.254`

/** A separate network. Its namespaces, bridge and links are gone when it closes. */
export class Network {
  readonly #name = `sl${process.pid}`
  readonly #switch = `${this.#name}-switch`
  #hosts = 0

  constructor() {
    ip(`netns add ${this.#switch}`)
    ip(`-n ${this.#switch} link add bridge type bridge forward_delay 0`)
    ip(`-n ${this.#switch} link set bridge up`)
    ip(`link add ${this.#name} type veth peer name observer netns ${this.#switch}`)
    ip(`-n ${this.#switch} link set observer master bridge up`)
    ip(`addr add ${observerAddress}/24 dev ${this.#name}`)
    ip(`link set ${this.#name} up`)
  }

  /** @returns the namespace and the address of a new machine */
  add(machine: string): { readonly namespace: string; readonly address: string } {
    const namespace = `${this.#name}-${machine}`
    const address = `${subnet}.${++this.#hosts}`
    ip(`netns add ${namespace}`)
    ip(`-n ${namespace} link add eth0 type veth peer name ${machine} netns ${this.#switch}`)
    ip(`-n ${this.#switch} link set ${machine} master bridge up`)
    ip(`-n ${namespace} addr add ${address}/24 dev eth0`)
    ip(`-n ${namespace} link set eth0 up`)
    ip(`-n ${namespace} link set lo up`)
    return { namespace, address }
  }

  /** Pulls the plug of a machine: packets in both directions are lost. */
  unplug(machine: string): void {
    ip(`-n ${this.#switch} link set ${machine} down`)
  }

  plug(machine: string): void {
    ip(`-n ${this.#switch} link set ${machine} up`)
  }

  close(): void {
    ip(`link del ${this.#name}`)
    for (const { name } of JSON.parse(ip('-json netns list')) as { name: string }[])
      if (name.startsWith(`${this.#name}-`)) ip(`netns del ${name}`)
  }
}

/** Why a network cannot be made here; undefined where it can. */
export function whyNoNetwork(): string | undefined {
  const probe = `sl${process.pid}-probe`
  try {
    ip(`netns add ${probe}`)
    ip(`netns del ${probe}`)
    return undefined
  } catch (error) {
    return `needs network namespaces (iproute2, run as root): ${(error as Error).message.split('\n')[0]}`
  }
}

function ip(words: string): string {
  return execFileSync('ip', words.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
