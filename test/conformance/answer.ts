import { parseJson } from '../../sdk/engine/kube/json.js'
import type { Answer, Body } from './cluster-under-test.js'

/** Builds an answer from a raw response. */
export function answerOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Answer {
  const text = Buffer.from(bytes).toString('utf8')
  return { status, headers, text, body: bodyOf(text) }
}

function bodyOf(text: string): Body {
  if (!/^\s*[{[]/.test(text)) return { metadata: {} }
  try {
    return parseJson(text) as Body
  } catch (error) {
    // Several documents, or an incomplete one. The cases compare the text of such an answer.
    if (error instanceof SyntaxError) return { metadata: {} }
    throw error
  }
}
