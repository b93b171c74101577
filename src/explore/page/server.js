// Questions to the server that the page came from.

// The answer; throws an Error with the server's one line if it refuses.
export async function ask(address, parameters = {}) {
  let response;
  try {
    response = await fetch(`${address}?${new URLSearchParams(parameters)}`);
  } catch {
    throw new Error("sotto explore does not answer: is it still running?");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
