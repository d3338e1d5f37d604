/** The body of a response, as it was parsed: the tests say what it holds. */
export const jsonOf = async (response: Response) => JSON.parse(await response.text())
