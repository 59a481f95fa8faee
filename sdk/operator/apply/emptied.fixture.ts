import * as z from 'zod'
import type { Client } from '../../engine/client/client.js'
import { jsonEqual } from '../../engine/kube/json.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'

const at = { namespace: 'default', name: 'labels' }
const labels = z.object({ team: z.string().optional() })
const about = { group: 'empty.my.domain', version: 'v1' }
const sources = defineKind({ ...about, kind: 'LabelSource', spec: z.object({ team: z.string() }) })
/** Both its spec and a field in it are required, and may be empty. */
const labelled = defineKind({ ...about, kind: 'Labelled', spec: z.object({ labels }) })
const bare = defineKind({ ...about, kind: 'Bare', spec: labels })

/** The definitions of the kinds of {@link keepsLabels}. */
export const labelDefinitions = [sources, labelled, bare].map((kind) => crdOf(kind))

/** Applies two objects whose required maps are empty while its object has no team. */
export const keepsLabels = controller(sources, {
  owns: [labelled, bare],
  async reconcile(ctx, { spec }) {
    const wanted = spec.team === '' ? {} : { team: spec.team }
    const { name } = at
    await ctx.apply(labelled, { metadata: { name }, spec: { labels: wanted } })
    await ctx.apply(bare, { metadata: { name }, spec: wanted })
  },
})

type Tap = { strictSame(found: unknown, wanted: unknown): void }

/**
 * Fills and empties the objects of {@link keepsLabels}, which an operator runs. `settled` resolves when the operator
 * has seen a change. It may wait until the given condition is true.
 */
export async function emptiesLabels(
  t: Tap,
  client: Client,
  settled: (isThere: () => Promise<boolean>) => Promise<unknown>,
): Promise<void> {
  await client.create(sources, { metadata: at, spec: { team: 'a' } })
  for (const team of ['a', '', 'b', '']) {
    await client.patch(sources, at, { type: 'merge', body: { spec: { team } } })
    const wanted = team === '' ? {} : { team }
    const expected = [{ labels: wanted }, wanted]
    const specs = async () => [(await client.get(labelled, at)).spec, (await client.get(bare, at)).spec]
    await settled(async () => jsonEqual(await specs(), expected))
    t.strictSame(await specs(), expected)
    const { metadata } = await client.get(bare, at)
    t.strictSame(metadata.ownerReferences?.length, 1)
  }
}
