/** A conversation in the address of the page. */
interface Place {
  agent: string;
  conversation: string;
}

const NAME = 'citewell-conversation';

/**
 * The conversation that this tab left while an answer was being written. Whoever comes back to the page without an address
 * finds it there.
 */
export const unfinishedConversation = {
  get(): Place | null {
    const [agent, conversation] = sessionStorage.getItem(NAME)?.split(' ', 2) ?? [];
    if (agent === undefined || conversation === undefined) return null;
    return { agent, conversation: decodeURIComponent(conversation) };
  },
  set({ agent, conversation }: Place): void {
    // Clients choose the ids of conversations.
    sessionStorage.setItem(NAME, `${agent} ${encodeURIComponent(conversation)}`);
  },
  clear(): void {
    sessionStorage.removeItem(NAME);
  },
};
