/** The words of zod before its messages. The sentences here say already that the value is wrong. */
const preface = /^(?:Invalid (?:input|option|string|number)|Too (?:big|small)): /

/** The message of an issue of a zod schema without zod's preface: `expected number, received string`. */
export const issueText = ({ message }: { readonly message: string }): string => message.replace(preface, '')
