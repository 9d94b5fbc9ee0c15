import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.ton.java.cell.Cell;

/** ton4j before the suite. What is judged is Cell.fromBocMultiRoots. */
public class Adapter {
  private static String hex(byte[] bytes) {
    return String.format("%064x", new BigInteger(1, bytes));
  }

  private static JsonObject judge(byte[] bytes) {
    JsonArray roots = new JsonArray();
    for (Cell root : Cell.fromBocMultiRoots(bytes)) {
      JsonObject one = new JsonObject();
      one.addProperty("representationHash", hex(root.getHash()));
      one.addProperty("levelZeroHash", hex(root.getHash(0)));
      one.addProperty("depth", root.getDepthLevels()[0]);
      roots.add(one);
    }
    JsonObject value = new JsonObject();
    value.add("roots", roots);
    return value;
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    System.setOut(System.err); // what a package prints is no answer
    out.println("{\"implementation\":\"ton4j\",\"version\":\"0.9.8\",\"language\":\"Java\",\"operations\":[\"boc\"]}");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonObject question = JsonParser.parseString(line).getAsJsonObject();
      JsonObject answer = new JsonObject();
      answer.add("id", question.get("id"));
      try {
        byte[] bytes = Base64.getDecoder().decode(question.getAsJsonObject("input").get("bytes").getAsString());
        answer.add("value", judge(bytes));
        answer.addProperty("result", "accept");
      } catch (Exception | Error why) { // it refuses by errors of every kind, java.lang.Error among them
        if (why instanceof OutOfMemoryError) throw why;
        answer.addProperty("result", "reject");
        answer.addProperty("detail", String.valueOf(why));
      }
      out.println(answer);
    }
  }
}
