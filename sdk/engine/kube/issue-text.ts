/** The words that zod puts in front of its messages. The sentences here name the value and say that it is wrong already. */
const preface = /^(?:Invalid (?:input|option|string|number)|Too (?:big|small)): /

/** The message of an issue of a zod schema without zod's preface: `expected number, received string`. */
export const issueText = ({ message }: { readonly message: string }): string => message.replace(preface, '')
