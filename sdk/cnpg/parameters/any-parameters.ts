import { z } from 'zod'

/** Any parameters, as the texts that they are. */
export const anyParameters = z.record(z.string(), z.string())
