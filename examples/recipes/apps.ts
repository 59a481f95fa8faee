import { defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

/** The kind of the recipes for controllers. */
export const apps = defineKind({
  group: 'recipes.my.domain',
  version: 'v1',
  kind: 'App',
  spec: z.object({ image: z.string(), port: z.int().optional(), namespaces: z.array(z.string()).optional() }),
  status: z.object({ checkedAt: z.string().optional() }),
  conditions: ['Ready'],
})
