import * as z from 'zod'
import { defineKind } from '../../../sdk/operator/kind/define/define-kind.js'
import { k } from '../../../sdk/operator/kind/k/k.js'

/** Limits that a test narrows, to see what a check says. */
const maxSize = Number(process.env.TEST_MAX_SIZE ?? 100)

export const backups = defineKind({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Backup',
  spec: k.rule(
    z.object({ size: z.int().max(maxSize), share: z.number().optional() }),
    process.env.TEST_RULE ?? 'self.size >= 0',
    process.env.TEST_UNCHECKED === undefined ? {} : { unchecked: process.env.TEST_UNCHECKED },
  ),
})

export const somethingElse = 1
