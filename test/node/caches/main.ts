// An operator for the tests on a real node: a kind with defaults, validation and two versions, and a ConfigMap for each
// object, which names the process that wrote it. CERTIFICATE_SECONDS is the life of its certificates.
import { randomUUID } from 'node:crypto'
import { configMaps } from 'vcluster-plugin-sdk'
import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const caches = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Cache',
  spec: z.object({ size: z.int().min(1).prefault(1) }),
  status: z.object({ host: z.string().optional() }),
  versions: {
    v1beta1: {
      spec: z.object({ mebibytes: z.int().optional() }),
      status: z.object({}),
      toHub: ({ mebibytes }) => ({ size: mebibytes ?? 1 }),
      fromHub: ({ size }) => ({ mebibytes: size }),
    },
  },
  default: (_ctx, cache) => ({
    ...cache,
    metadata: { ...cache.metadata, labels: { team: 'none', ...cache.metadata.labels } },
  }),
  validate: (_ctx, cache, old) =>
    old && old.spec.size > cache.spec.size ? [{ path: 'spec.size', message: 'must not shrink' }] : [],
})

const seconds = Number(process.env.CERTIFICATE_SECONDS)
const webhooks = {
  kinds: [caches],
  certificate: 'selfSigned' as const,
  ...(seconds > 0 && { lifeMs: seconds * 1000, settleMs: 3000 }),
}
const operator = createOperator({ name: 'caches', webhooks })
const writer = `${process.env.HOSTNAME} ${randomUUID()}`
operator.register(
  controller(caches, {
    owns: [configMaps],
    async reconcile(ctx, { metadata, spec }) {
      const data = { size: String(spec.size), writer }
      await ctx.apply(configMaps, { metadata: { name: metadata.name ?? '' }, data })
      ctx.status.host = process.env.HOSTNAME
    },
  }),
)
await operator.start()
