import type { CaseClient } from '../conformance/case-client.js'
import { until } from '../until.js'

/** A condition in a status. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
}

/** The members of objects that stories read. */
export interface Shown {
  readonly metadata: {
    readonly name?: string
    readonly uid?: string
    readonly generation?: number
    readonly creationTimestamp?: string
    readonly deletionTimestamp?: string
    readonly ownerReferences?: readonly object[]
  }
  readonly spec: {
    readonly nodeName?: string
    readonly template?: { readonly spec: { readonly containers: readonly { readonly image: string }[] } }
    readonly claimRef?: { readonly name: string }
  }
  readonly status: {
    readonly phase?: string
    readonly conditions?: readonly Condition[]
    readonly used?: Readonly<Record<string, string>>
  } & Readonly<Partial<Record<Counter, number>>>
  readonly rules?: readonly object[]
  readonly endpoints?: readonly { readonly conditions: { readonly ready?: boolean } }[]
  readonly subsets?: readonly { readonly addresses?: readonly object[] }[]
}

type Counter =
  | 'observedGeneration'
  | 'replicas'
  | 'updatedReplicas'
  | 'availableReplicas'
  | 'numberAvailable'
  | 'currentHealthy'

/** The calls of a story in its namespace. */
export interface StoryClient extends Omit<CaseClient, 'read'> {
  /** Reads an object that must exist. */
  read(reference: string): Promise<Shown>
  /** The items of a list. */
  items(reference: string): Promise<Shown[]>
  /** Waits until a check of the object holds. */
  untilObject(reference: string, holds: (object: Shown) => boolean): Promise<void>
  /** Waits until an object does not exist. */
  untilGone(reference: string): Promise<void>
  /** Runs or ends the pods of the namespace that have a node, as their kubelet would. */
  play(phase: 'Running' | 'Succeeded', isDone: () => Promise<boolean>): Promise<void>
}

/** The client of a story. */
export function storyClientOf(client: CaseClient): StoryClient {
  const read = async (reference: string) => (await client.read(reference)) as unknown as Shown
  const items = async (reference: string) =>
    ((await client.read(reference)).items ?? []) as unknown as Shown[]
  return {
    ...client,
    read,
    items,
    untilObject: (reference, holds) => until(async () => holds(await read(reference))),
    untilGone: (reference) => until(async () => (await client.get(reference)).status === 404),
    play: (phase, isDone) =>
      until(async () => {
        for (const pod of await items('pods')) await step(client, pod, phase)
        return isDone()
      }),
  }
}

async function step(client: CaseClient, { metadata, spec, status }: Shown, phase: string): Promise<void> {
  const reference = `pods/${metadata.name}`
  if (spec.nodeName === undefined) return
  if (metadata.deletionTimestamp !== undefined) {
    await client.delete(`${reference}?gracePeriodSeconds=0`)
    return
  }
  if (status.phase !== 'Pending') return
  const isReady = phase === 'Running' ? 'True' : 'False'
  const conditions = [
    ...(status.conditions ?? []),
    { type: 'Ready', status: isReady, lastTransitionTime: metadata.creationTimestamp },
  ]
  const address = `10.244.0.${1 + (Number.parseInt((metadata.uid ?? '').slice(0, 2), 16) % 250)}`
  const addresses = { podIP: address, podIPs: [{ ip: address }] }
  await client.patch(`${reference}/status`, 'merge', { status: { phase, conditions, ...addresses } })
}
