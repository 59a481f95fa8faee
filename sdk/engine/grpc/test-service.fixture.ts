/** Messages that are texts. */
const text = {
  encode: (message: string) => ({ finish: () => Buffer.from(message) }),
  decode: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
}

const texts = { requestType: text, responseType: text }

/** A service for tests, in the form of generated code. */
export const TestDefinition = {
  fullName: 'test.v1.Test',
  methods: {
    ask: { name: 'Ask', ...texts, requestStream: false, responseStream: false },
    follow: { name: 'Follow', ...texts, requestStream: false, responseStream: true },
    talk: { name: 'Talk', ...texts, requestStream: true, responseStream: true },
  },
} as const
