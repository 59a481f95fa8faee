import type { RegisterContext } from 'vcluster-plugin-sdk'
import { z } from 'zod'

const schema = z.strictObject({
  /** Name of the Pod that the interceptor answers for. */
  answeredPod: z.string().min(1).default('stuff'),
  /** What the interceptor calls it. */
  answer: z.string().min(1).default('definitelynotstuff'),
  /** Whether cars are copied to the host. */
  cars: z.boolean().default(true),
})

/** What can be set under `plugins.everything.config` in the vcluster's values. */
export type Config = z.infer<typeof schema>

/** Reads it; what does not fit ends the plugin with a sentence that names it. */
export const configOf = (ctx: RegisterContext): Config => ctx.config(schema)
