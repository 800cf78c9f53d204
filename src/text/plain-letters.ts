/** Letters that Unicode does not decompose, as those write them who lack them. */
const written: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ß: "ss",
  þ: "th",
  ð: "d",
  đ: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ø: "o",
  ŧ: "t",
};

const letters = /[ÆæŒœẞßÞþÐðĐđĦħıŁłØøŦŧ]/g;

/** A text in which `Łódź` begins with `L`, and `Größe` contains `ss`. Accents stay. */
export function withPlainLetters(text: string): string {
  return text.replace(letters, (letter, at: number) => {
    const plain = written[letter.toLowerCase()] ?? letter;
    if (!isCapital(letter)) return plain;
    // Among capitals all of it is one, so that no word seems to begin within another.
    const isAmongCapitals = isCapital(text.charAt(at + 1)) || isCapital(text.charAt(at - 1));
    return isAmongCapitals ? plain.toUpperCase() : plain.charAt(0).toUpperCase() + plain.slice(1);
  });
}

function isCapital(letter: string): boolean {
  return letter !== letter.toLowerCase();
}
