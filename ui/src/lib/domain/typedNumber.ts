/** The number in a text field, null if there is none. */
export function typedNumber(text: string): number | null {
  const typed = text.trim();
  // Commas only between thousands: a decimal comma would multiply the number by ten or a hundred.
  if (!/^(\d+|\d{1,3}([, ]\d{3})+|(?=\.))(\.\d+)?$/.test(typed)) return null;
  return Number(typed.replace(/[, ]/g, ''));
}
