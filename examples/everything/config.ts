import type { RegisterContext } from 'vcluster-plugin-sdk'
import { z } from 'zod'

const schema = z.strictObject({
  /** Name of the Pod that the interceptor answers for. */
  answeredPod: z.string().min(1).default('stuff'),
  /** The name of the Pod in the interceptor's response. */
  answer: z.string().min(1).default('definitelynotstuff'),
  /** Whether cars are copied to the host. */
  cars: z.boolean().default(true),
})

/** The settings under `plugins.everything.config` in the vcluster's values. */
export type Config = z.infer<typeof schema>

/** Reads the configuration. An invalid value stops the plugin with an error that names it. */
export const configOf = (ctx: RegisterContext): Config => ctx.config(schema)
