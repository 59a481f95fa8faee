import { PermanentError } from 'vcluster-plugin-sdk'
import { controller } from 'vcluster-plugin-sdk/operator'
import { buckets } from './bucket.js'
import type { Cloud } from './cloud.js'

/** Creates one bucket for each object, and removes it with the object unless `spec.keep` is true. */
export const bucketController = (cloud: Cloud) =>
  controller(buckets, {
    concurrency: 4,
    // Changes outside of Kubernetes send no events.
    everyMs: 600_000,
    effects: {
      bucket: {
        find: (ctx, token) => cloud.findByToken(token, ctx.signal),
        create: (ctx, token) => cloud.create(ctx.object.spec.region, token, ctx.signal),
        remove: (ctx, id) => cloud.remove(id, ctx.signal),
      },
    },
    async reconcile(ctx, { spec }) {
      const bucket = await ctx.effect('bucket')
      if (bucket.region !== spec.region)
        throw new PermanentError(`spec.region cannot change from ${bucket.region}: create another Bucket`)
      ctx.status.url = bucket.url
      ctx.condition('Ready', true, 'BucketReady')
    },
    async finalize(ctx, bucket) {
      if (bucket.spec?.keep === true) await ctx.releaseEffects()
    },
  })
