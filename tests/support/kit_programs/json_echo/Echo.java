import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Reads lines; writes each as JSON again, or what is wrong with it. */
class Echo {
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                out.print(Json.write(Json.read(line)) + "\n");
            } catch (IllegalArgumentException error) {
                out.print("error: " + error.getMessage() + "\n");
            }
        }
        out.flush();
    }
}
