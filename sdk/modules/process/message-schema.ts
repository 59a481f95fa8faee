import * as z from 'zod'
import { issueText } from '../../engine/kube/issue-text.js'
import { parseJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { clusterMethods, type FromChild } from './messages.js'

// The schemas of the messages that the process of a program sends, whose code is not trusted.

const id = z.int().positive()
const text = z.string().max(64 * 1024)
const name = z.string().min(1).max(253)

const rule = z.object({
  group: z.string().max(253),
  resource: name,
  verbs: z.array(name).max(20),
  namespace: name.optional(),
})

const error = z.object({
  name: text,
  message: text,
  code: z.union([text, z.number()]).optional(),
  stack: text.optional(),
})

const ready = z.object({
  type: z.literal('ready'),
  protocol: z.number(),
  name: name.optional(),
  version: name.optional(),
  sdk: text.optional(),
  permissions: z.array(rule).max(200).optional(),
})

const message = z.discriminatedUnion('type', [
  ready,
  z.object({ type: z.literal('failed'), error }),
  z.object({
    type: z.literal('result'),
    id,
    value: z.boolean().nullish().catch(undefined),
    methods: z
      .array(z.enum(['upgrade', 'check']))
      .max(2)
      .optional()
      .catch(undefined),
    error: error.optional(),
    metaData: z.string().optional(),
  }),
  z.object({ type: z.literal('save'), id, call: id, metaData: z.string() }),
  z.object({
    type: z.literal('request'),
    id,
    manager: id,
    method: z.enum(clusterMethods),
    args: z.array(z.unknown()).max(2),
  }),
  z.object({ type: z.literal('cancel'), id }),
  z.object({
    type: z.literal('log'),
    manager: id,
    level: z.enum(['debug', 'info', 'warn', 'error']),
    message: z.string(),
    // The members are not checked: a process may send a million of them.
    fields: z.custom<Record<string, unknown>>(isJsonObject),
  }),
])

/** Reads a message of a program's process; throws an Error with one sentence for anything else. */
export function readMessage(line: Buffer): FromChild {
  const { data, error: problem } = message.safeParse(jsonOf(line))
  if (data) return data as FromChild
  const [issue] = problem.issues
  const path = issue?.path.join('.') ?? ''
  if (issue?.path[0] === 'permissions')
    throw new Error(
      `a mistake in its permissions: ${path} ${issueText(issue)}; correct them in defineProgram`,
    )
  const type = path === 'type' ? 'an unknown type' : `a wrong ${path || 'shape'}`
  throw new Error(
    `a message with ${type}; build the program again without code that writes to file descriptor 3`,
  )
}

/** The maximum number of values in a message: `{},` has three bytes, but needs about twenty times as many in memory. */
const maxValues = 500_000

/** Counts the characters that begin or divide values, also in texts. */
function checkValues(line: Buffer): void {
  let count = 1
  for (const byte of line) if (byte === 44 || byte === 91 || byte === 123) count++
  if (count > maxValues)
    throw new Error(`a message with up to ${count} values; at most ${maxValues} are permitted`)
}

function jsonOf(line: Buffer): unknown {
  checkValues(line)
  try {
    return parseJson(line)
  } catch {
    throw new Error(
      'a message that is not JSON; build the program again without code that writes to file descriptor 3',
    )
  }
}
