import * as z from 'zod'
import { defineKind } from '../../../sdk/operator/index.js'

/** The kind that both programs reconcile. */
export const backups = defineKind({
  group: 'bench.my.domain',
  version: 'v1',
  kind: 'Backup',
  spec: z.object({ size: z.int().min(0).max(1000) }),
  conditions: ['Available'],
})
