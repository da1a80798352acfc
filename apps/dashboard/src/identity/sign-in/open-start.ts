/** Opens the first page as a new document, so that nothing of another session stays in memory. */
export function openStart(): void {
  sessionStorage.clear();
  location.replace('/');
}
